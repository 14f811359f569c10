/** nginx as a relay: one process, kept connections on both sides, nothing buffered, and the second server if the first fails. */
export const nginxConfig = (listen: number, first: number, second: number): string => `
daemon off;
master_process off;
pid nginx.pid;
error_log error.log crit;
worker_rlimit_nofile 65536;
events { worker_connections 32768; }
http {
  access_log off;
  client_body_temp_path body;
  proxy_temp_path proxy;
  fastcgi_temp_path fastcgi;
  uwsgi_temp_path uwsgi;
  scgi_temp_path scgi;
  client_max_body_size 32m;
  client_body_buffer_size 2m;
  keepalive_requests 100000000;
  keepalive_timeout 75s;
  tcp_nodelay on;
  upstream providers {
    server 127.0.0.1:${first} max_fails=0;
    server 127.0.0.1:${second} max_fails=0${first === second ? ' down' : ' backup'};
    keepalive 512;
    keepalive_requests 100000000;
  }
  server {
    listen 127.0.0.1:${listen} backlog=4096;
    location = /livez { return 200 "ok"; }
    location / {
      proxy_pass http://providers;
      proxy_http_version 1.1;
      proxy_set_header Connection "";
      proxy_buffering off;
      proxy_read_timeout 600s;
      proxy_next_upstream error timeout http_503 non_idempotent;
    }
  }
}
`;
