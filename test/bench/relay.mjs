// The bare relay that the gateway is measured against: what any gateway on Node has to do, and nothing else. It reads the
// body, parses it, picks a target, writes the model's name, sends it on a kept connection, passes chunks on, finds the
// borders of frames and looks at each event. No keys, ledger, log, metrics, clocks, failover or care for slow clients.
//
//   node relay.mjs PORT PROVIDER_PORT '{"json":"json-1024"}'      models, and what the provider is asked for
import { createServer } from 'node:http';
import { Agent } from 'undici';

const [port, providerPort, table] = process.argv.slice(2);
const models = JSON.parse(table ?? '{}');
const agent = new Agent({ allowH2: false, connections: null, pipelining: 1, headersTimeout: 0, bodyTimeout: 0 });
const origin = `http://127.0.0.1:${providerPort}`;
const LF = 10;

function looker() {
  let rest = null;
  let events = 0;
  return (chunk) => {
    const bytes = rest === null ? chunk : Buffer.concat([rest, chunk]);
    let from = 0;
    for (let end = bytes.indexOf('\n\n'); end >= 0; end = bytes.indexOf('\n\n', from)) {
      const data = bytes.indexOf('data:', from);
      if (data >= 0 && data < end && bytes[end] === LF) events += 1;
      from = end + 2;
    }
    rest = from === bytes.length ? null : bytes.subarray(from);
    return events;
  };
}

function refuse(res, status, text) {
  if (res.headersSent) return res.destroy();
  res.writeHead(status, { 'content-type': 'application/json' });
  res.end(JSON.stringify({ error: { message: text, type: 'relay_error' } }));
}

function relay(res, body) {
  let asked;
  try {
    asked = JSON.parse(body);
  } catch {
    return refuse(res, 400, 'no JSON');
  }
  const target = models[asked.model];
  if (target === undefined) return refuse(res, 404, 'no such model');
  asked.model = 'm';
  const look = asked.stream === true ? looker() : null;
  const options = {
    origin,
    path: `/${target}/v1/chat/completions`,
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(asked),
  };
  let controller = null;
  res.on('close', () => {
    if (!res.writableFinished) controller?.abort(new Error('the client has left'));
  });
  agent.dispatch(options, {
    onRequestStart(started) {
      controller = started;
    },
    onResponseStart(_controller, status, headers) {
      const length = headers['content-length'];
      res.writeHead(status, {
        'content-type': headers['content-type'] ?? 'application/json',
        ...(length === undefined ? {} : { 'content-length': length }),
      });
    },
    onResponseData(_controller, chunk) {
      look?.(chunk);
      res.write(chunk);
    },
    onResponseEnd() {
      res.end();
    },
    onResponseError(_controller, error) {
      refuse(res, 502, error.message);
    },
  });
}

const server = createServer((req, res) => {
  if (req.method === 'GET') return res.end('ok');
  const chunks = [];
  req.on('data', (chunk) => chunks.push(chunk));
  req.on('end', () => relay(res, chunks.length === 1 ? chunks[0] : Buffer.concat(chunks)));
});
server.keepAliveTimeout = 75_000;
server.headersTimeout = 0;
server.requestTimeout = 0;
// Thousands may come at once.
server.listen({ port: Number(port), host: '127.0.0.1', backlog: 4096 });
