/*
 * A provider of the Chat protocol for measurements: one thread, one epoll, no libraries. What it answers stands in the
 * first segment of the path, so that any gateway can be told by a base URL:
 *
 *   /json-1024/...            an answer of 1024 bytes
 *   /sse-100-0-1/...          a stream of 100 tokens at full speed, one frame a write
 *   /sse-100-0-100/...        the same, all frames in one write
 *   /sse-0-30-1/...           a token a second; once somebody asks for /pace, 30; until somebody asks for /finish
 *   /sse-20-0-1-503/...       a fault on the second port (503, error, reset, half), the stream on the first one
 *
 * Each token's text is "t=<CLOCK_MONOTONIC in ns, when it was sent> n=<its number>", both of fixed width. GET /stats gives
 * counters. Prints its two ports as it starts, and ends with whoever started it.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>
#define HEAD_MAX 32768
#define SCRATCH (256 * 1024)
#define SLOTS 4096 /* of the wheel, a millisecond each */
#define MOST_LATE 32 /* frames in one write for a stream that is behind */
enum form { NONE, JSON, SSE, STATS, PACE, FINISH };
enum fault { NO_FAULT, F503, FERROR, FRESET, FHALF };
/* A ring of streams: those that send as fast as they can, or those of one slot of the wheel. */
struct link { struct link *prev, *next; };

struct conn {
  struct link link; /* first: a link is its connection */
  int fd, is_fault_port, is_blocked, is_endless, is_running;
  char *head; /* what has come of a head that is not whole */
  int head_len;
  long body_left;
  enum form form;
  enum fault fault;
  long size, tokens, rate, batch;
  long sent;
  int64_t due;
  char *out; /* what the socket did not take */
  long out_len, out_off;
};

static int ep;
static char scratch[SCRATCH + 1];
static struct link busy, slots[SLOTS];
static int64_t last_ms;
static int is_slow = 1, is_finishing;
static long requests, faults, streams, bad, paced;
static int64_t latest;

static int64_t now_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static void put(struct link *ring, struct link *it) {
  it->prev = ring->prev, it->next = ring;
  ring->prev->next = it, ring->prev = it;
}

static void take(struct link *it) {
  it->prev->next = it->next, it->next->prev = it->prev;
  it->prev = it->next = it;
}
/* ---- frames: made once, and patched for each token */

#define CHUNK_TEXT "\"choices\":[{\"index\":0,\"delta\":{\"content\":\"t=0000000000000000000 n=00000000 \"},\"finish_reason\":null}]"
#define CHUNK_HEAD "data: {\"id\":\"chatcmpl-bench\",\"object\":\"chat.completion.chunk\",\"created\":1700000000,\"model\":\"m\","
static char frame[512], opening[1024], closing[1024];
static int frame_len, time_at, number_at;

static int as_chunk(char *to, const char *text) { return sprintf(to, "%zx\r\n%s\r\n", strlen(text), text); }
static void make_frames(void) {
  frame_len = as_chunk(frame, CHUNK_HEAD CHUNK_TEXT "}\n\n");
  time_at = strstr(frame, "t=0") - frame + 2;
  number_at = strstr(frame, "n=0") - frame + 2;
  int n = sprintf(opening, "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n");
  as_chunk(opening + n, CHUNK_HEAD "\"choices\":[{\"index\":0,\"delta\":{\"role\":\"assistant\",\"content\":\"\"},\"finish_reason\":null}]}\n\n");
  n = as_chunk(closing, CHUNK_HEAD "\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n");
  n += as_chunk(closing + n, CHUNK_HEAD "\"choices\":[],\"usage\":{\"prompt_tokens\":9,\"completion_tokens\":100,\"total_tokens\":109}}\n\n");
  n += as_chunk(closing + n, "data: [DONE]\n\n");
  sprintf(closing + n, "0\r\n\r\n");
}

static void digits(char *to, int width, int64_t value) {
  while (width-- > 0) to[width] = '0' + value % 10, value /= 10;
}
/* ---- writing */

static void end_stream(struct conn *c) {
  take(&c->link);
  if (c->is_running) streams--, paced -= c->rate > 0;
  c->is_running = 0;
}

static void drop(struct conn *c) {
  end_stream(c);
  close(c->fd);
  free(c->head), free(c->out), free(c);
}

/* 0: the connection is gone. What the socket does not take waits, and the stream with it. */
static int send_all(struct conn *c, const char *data, long len) {
  long done = 0;
  if (c->out_len == c->out_off)
    while (done < len) {
      ssize_t n = send(c->fd, data + done, len - done, MSG_NOSIGNAL);
      if (n < 0 && errno == EINTR) continue;
      if (n < 0 && errno != EAGAIN) return 0;
      if (n < 0) break;
      done += n;
    }
  if (done == len) return 1;
  long rest = c->out_len - c->out_off;
  char *out = malloc(rest + len - done);
  memcpy(out, c->out + c->out_off, rest);
  memcpy(out + rest, data + done, len - done);
  free(c->out);
  c->out = out, c->out_off = 0, c->out_len = rest + len - done, c->is_blocked = 1;
  return 1;
}

static int send_json(struct conn *c) {
  static char *kept;
  static long kept_size, kept_len;
  if (kept_size != c->size) {
    const char *before = "{\"id\":\"chatcmpl-bench\",\"object\":\"chat.completion\",\"created\":1700000000,\"model\":\"m\",\"choices\":[{\"index\":0,\"message\":{\"role\":\"assistant\",\"content\":\"";
    const char *after = "\"},\"finish_reason\":\"stop\"}],\"usage\":{\"prompt_tokens\":9,\"completion_tokens\":12,\"total_tokens\":21}}";
    long around = strlen(before) + strlen(after), fill = c->size > around ? c->size - around : 1;
    kept = realloc(kept, c->size + 2048);
    long n = sprintf(kept, "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: %ld\r\n\r\n%s", fill + around, before);
    memset(kept + n, 'x', fill);
    strcpy(kept + n + fill, after);
    kept_len = n + fill + strlen(after), kept_size = c->size;
  }
  return send_all(c, kept, kept_len);
}

static int send_text(struct conn *c, const char *status, const char *more, const char *body) {
  char text[1024];
  int n = sprintf(text, "HTTP/1.1 %s\r\ncontent-type: application/json\r\n%scontent-length: %zu\r\n\r\n%s", status, more, strlen(body), body);
  return send_all(c, text, n);
}

/* Sends `count` frames, and what follows the last one. */
static int send_frames(struct conn *c, long count, int64_t now) {
  static char text[1024 + 128 * 512];
  long n = 0;
  if (c->sent == 0) n = sprintf(text, "%s", opening);
  for (long i = 0; i < count; i++, n += frame_len) {
    memcpy(text + n, frame, frame_len);
    digits(text + n + time_at, 19, now);
    digits(text + n + number_at, 8, c->sent++);
  }
  if (c->is_endless ? is_finishing : c->sent >= c->tokens) {
    n += sprintf(text + n, "%s", closing);
    end_stream(c);
  }
  return send_all(c, text, n);
}

static int start_stream(struct conn *c, int64_t now) {
  c->sent = 0, c->is_running = 1, c->is_endless = c->tokens == 0;
  streams++;
  if (c->rate) {
    paced++, c->due = now;
    put(&slots[(now / 1000000 + 1) % SLOTS], &c->link);
  } else put(&busy, &c->link);
  return 1;
}

static int send_fault(struct conn *c) {
  const char *error = "{\"error\":{\"message\":\"The server is overloaded.\",\"type\":\"server_error\",\"code\":\"overloaded\"}}";
  char text[1024];
  faults++;
  /* Those that fail now and then name no delay: to be left alone for it would leave the faults out. */
  if (c->fault == F503 || c->fault == FHALF) return send_text(c, "503 Service Unavailable", c->fault == F503 ? "retry-after: 1\r\n" : "", error);
  if (c->fault == FRESET) {
    struct linger hard = {1, 0};
    setsockopt(c->fd, SOL_SOCKET, SO_LINGER, &hard, sizeof hard);
    return 0;
  }
  int n = sprintf(text, "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n%zx\r\ndata: %s\n\n\r\n0\r\n\r\n", strlen(error) + 8, error);
  return send_all(c, text, n);
}

static int answer(struct conn *c) {
  char text[256];
  if (c->form == STATS || c->form == PACE || c->form == FINISH) {
    if (c->form != STATS) is_slow = 0;
    if (c->form == FINISH) is_finishing = 1;
    sprintf(text, "{\"requests\":%ld,\"faults\":%ld,\"bad\":%ld,\"streams\":%ld,\"latestMs\":%.3f}", requests, faults, bad, streams, latest / 1e6);
    return send_text(c, "200 OK", "", text);
  }
  requests++;
  if (streams == 0) is_finishing = 0, is_slow = 1;
  if (c->is_fault_port && c->fault && (c->fault != FHALF || requests % 2)) return send_fault(c);
  if (c->form == SSE) return start_stream(c, now_ns());
  if (c->form == JSON) return send_json(c);
  bad++;
  return send_text(c, "404 Not Found", "", "{\"error\":{\"message\":\"no such answer\",\"type\":\"invalid_request_error\"}}");
}
/* ---- reading */

static void read_plan(struct conn *c, const char *head) {
  char fault[16] = "";
  const char *path = strchr(head, ' ') ? strchr(head, ' ') : "";
  c->form = NONE, c->fault = NO_FAULT, c->rate = 0, c->batch = 1;
  if (sscanf(path, " /json-%ld-%15[a-z0-9]", &c->size, fault) >= 1) c->form = JSON;
  else if (sscanf(path, " /sse-%ld-%ld-%ld-%15[a-z0-9]", &c->tokens, &c->rate, &c->batch, fault) >= 3) c->form = SSE;
  else if (strncmp(path, " /stats", 7) == 0) c->form = STATS;
  else if (strncmp(path, " /pace", 6) == 0) c->form = PACE;
  else if (strncmp(path, " /finish", 8) == 0) c->form = FINISH;
  if (c->batch < 1 || c->batch > 100) c->batch = 1;
  const char *names[] = {"", "503", "error", "reset", "half"};
  for (int i = F503; i <= FHALF; i++) if (!strcmp(fault, names[i])) c->fault = i;
}

/* A whole head, ended by a zero. -1: no request that it understands. */
static int read_head(struct conn *c, char *head) {
  c->body_left = 0;
  for (char *line = strchr(head, '\n'); line; line = strchr(line + 1, '\n')) {
    if (!strncasecmp(line + 1, "content-length:", 15)) c->body_left = atol(line + 16);
    if (!strncasecmp(line + 1, "transfer-encoding:", 18)) return -1;
  }
  read_plan(c, head);
  return 0;
}

/* Takes what came, which may be parts of heads and bodies. 0: the connection is to be closed. */
static int feed(struct conn *c, char *data, long len) {
  while (len > 0) {
    if (c->body_left == 0) {
      char *end = c->head_len ? NULL : memmem(data, len, "\r\n\r\n", 4);
      char *head = data;
      long used = end ? end + 4 - data : len;
      if (end == NULL) {
        long before = c->head_len, start = before > 3 ? before - 3 : 0;
        if (before + len > HEAD_MAX) used = HEAD_MAX - before;
        if (!c->head) c->head = malloc(HEAD_MAX + 1);
        memcpy(c->head + before, data, used);
        end = memmem(c->head + start, before + used - start, "\r\n\r\n", 4);
        if (!end && before + used >= HEAD_MAX) return 0;
        if (!end) { c->head_len += used; return 1; }
        used = end + 4 - c->head - before;
        head = c->head;
        c->head_len = 0;
      }
      end[3] = 0;
      if (read_head(c, head) < 0) { bad++; return 0; }
      data += used, len -= used;
    } else {
      long part = len < c->body_left ? len : c->body_left;
      data += part, len -= part, c->body_left -= part;
    }
    if (c->body_left == 0 && !answer(c)) return 0;
  }
  return 1;
}

/* 0: it is over. Nobody may ask again while a stream runs. */
static int read_more(struct conn *c) {
  for (;;) {
    ssize_t n = recv(c->fd, scratch, SCRATCH, 0);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return errno == EAGAIN;
    if (n == 0) return 0;
    if (c->is_running) return 0;
    if (!feed(c, scratch, n)) return 0;
    if (n < SCRATCH) return 1;
  }
}
static int write_more(struct conn *c) {
  while (c->out_off < c->out_len) {
    ssize_t n = send(c->fd, c->out + c->out_off, c->out_len - c->out_off, MSG_NOSIGNAL);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return errno == EAGAIN;
    c->out_off += n;
  }
  free(c->out);
  c->out = NULL, c->out_len = c->out_off = 0, c->is_blocked = 0;
  return 1;
}
/* ---- the loop */

static void accept_all(int listener, int is_fault_port) {
  for (int fd; (fd = accept4(listener, NULL, NULL, SOCK_NONBLOCK)) >= 0;) {
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &(int){1}, sizeof(int));
    struct conn *c = calloc(1, sizeof *c);
    c->fd = fd, c->is_fault_port = is_fault_port;
    c->link.prev = c->link.next = &c->link;
    struct epoll_event event = {.events = EPOLLIN | EPOLLOUT | EPOLLRDHUP | EPOLLET, .data.ptr = c};
    epoll_ctl(ep, EPOLL_CTL_ADD, fd, &event);
  }
}

static void handle(struct conn *c, unsigned events) {
  int is_alive = !(events & (EPOLLERR | EPOLLHUP));
  if (is_alive && c->is_blocked) {
    is_alive = write_more(c);
    if (is_alive && !c->is_blocked && c->is_running && !c->rate) put(&busy, &c->link);
  }
  if (is_alive && (events & (EPOLLIN | EPOLLRDHUP))) is_alive = read_more(c);
  if (!is_alive) drop(c);
}

/* One write for each stream at full speed; then the others have their turn. */
static void run_busy(void) {
  struct link *last = busy.prev;
  if (last == &busy) return;
  for (struct link *it = busy.next, *next; ; it = next) {
    struct conn *c = (struct conn *)it;
    next = it->next;
    int is_last = it == last;
    long left = c->tokens - c->sent;
    if (!send_frames(c, left < c->batch ? left : c->batch, now_ns())) drop(c);
    else if (c->is_blocked) take(&c->link);
    if (is_last) return;
  }
}
static void run_paced(struct conn *c, int64_t now) {
  int64_t period = 1000000000 / (c->is_endless && is_slow ? 1 : c->rate), behind = now - c->due;
  long count = 1 + behind / period, left = c->is_endless ? MOST_LATE : c->tokens - c->sent;
  if (behind > latest) latest = behind;
  if (count > MOST_LATE) count = MOST_LATE;
  if (count > left) count = left;
  c->due = behind > period * MOST_LATE ? now + period : c->due + count * period;
  take(&c->link);
  if (!c->is_blocked && !send_frames(c, count, now)) return drop(c);
  if (!c->is_running) return;
  int64_t ms = c->due / 1000000;
  put(&slots[(ms > now / 1000000 ? ms : now / 1000000 + 1) % SLOTS], &c->link);
}

static void run_wheel(void) {
  int64_t now = now_ns(), ms = now / 1000000;
  if (ms - last_ms > SLOTS) last_ms = ms - SLOTS;
  for (; last_ms < ms; last_ms++) {
    struct link *slot = &slots[(last_ms + 1) % SLOTS], *last = slot->prev;
    if (last == slot) continue;
    for (struct link *it = slot->next, *next; ; it = next) {
      int is_last = it == last;
      next = it->next;
      run_paced((struct conn *)it, now_ns());
      if (is_last) break;
    }
  }
}

static int listen_on(int *port) {
  struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  socklen_t len = sizeof at;
  int fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
  if (fd < 0 || bind(fd, (struct sockaddr *)&at, sizeof at) || listen(fd, 65535)) {
    perror("provider: can't listen");
    exit(1);
  }
  getsockname(fd, (struct sockaddr *)&at, &len);
  *port = ntohs(at.sin_port);
  return fd;
}
int main(void) {
  int port, fault_port, listeners[2] = {listen_on(&port), listen_on(&fault_port)};
  static struct epoll_event events[512];
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  make_frames();
  ep = epoll_create1(0);
  busy.prev = busy.next = &busy;
  for (int i = 0; i < SLOTS; i++) slots[i].prev = slots[i].next = &slots[i];
  for (int i = 0; i < 2; i++) {
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = &listeners[i]};
    epoll_ctl(ep, EPOLL_CTL_ADD, listeners[i], &event);
  }
  last_ms = now_ns() / 1000000;
  printf("{\"port\":%d,\"faultPort\":%d}\n", port, fault_port);
  fflush(stdout);
  for (;;) {
    int n = epoll_wait(ep, events, 512, busy.next != &busy ? 0 : paced ? 1 : -1);
    for (int i = 0; i < n; i++) {
      if (events[i].data.ptr == &listeners[0] || events[i].data.ptr == &listeners[1])
        accept_all(*(int *)events[i].data.ptr, events[i].data.ptr == &listeners[1]);
      else handle(events[i].data.ptr, events[i].events);
    }
    run_busy();
    if (paced) run_wheel();
    else last_ms = now_ns() / 1000000;
  }
}
