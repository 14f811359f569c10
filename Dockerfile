# syntax=docker/dockerfile:1
# docker build -t understudy .          How to run it: docs/deploy.md

FROM node:24-slim AS packages
WORKDIR /app
COPY package.json package-lock.json ./
COPY tools/node-runtime/package.json tools/node-runtime/
COPY dashboard/package.json dashboard/
# Nothing is compiled and no script has to run. The pinned Node goes: the image has one.
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund && rm -rf node_modules/node-linux-*

# The command in a few files, as `npm ci` builds it in a checkout.
FROM node:24-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
COPY tools/build.ts tools/
COPY tsconfig.base.json ./
COPY tools/node-runtime/package.json tools/node-runtime/
COPY dashboard/package.json dashboard/
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY bin bin
COPY src src
COPY dashboard dashboard
RUN node tools/build.ts

FROM node:24-slim
COPY --from=packages /app/node_modules /app/node_modules
COPY package.json LICENSE NOTICE /app/
COPY schema /app/schema
COPY bin /app/bin
COPY --from=build /app/dist /app/dist
RUN ln -s /app/bin/understudy /usr/local/bin/understudy \
  && mkdir -p /app/node_modules/.cache /var/lib/understudy /etc/understudy \
  && chown node:node /app/node_modules/.cache /var/lib/understudy

ENV NODE_ENV=production UNDERSTUDY_STATE_DIR=/var/lib/understudy
USER node
# Looked into for understudy.yaml, and the place to which its relative paths belong.
WORKDIR /etc/understudy
# Plays one failure: an image that can't hide it is not built. It also fills the cache of compiled sources.
RUN understudy drill --only error-503

VOLUME /var/lib/understudy
EXPOSE 4180
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s --start-interval=1s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:4180/livez').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
# The gateway itself is process 1 and hears signals: SIGTERM drains, SIGHUP reads the configuration again.
ENTRYPOINT ["understudy"]
CMD ["serve", "--host", "0.0.0.0"]
