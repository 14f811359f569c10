/*
 * Clients for measurements: one thread, one epoll, no libraries. Sends one request over and over on kept connections and
 * looks at each answer: its status, its length, for a stream the number of every token and the end. Says on standard output
 * in lines of JSON when the measured time begins and ends, and then what it saw. See `usage` for the arguments.
 *
 *   closed loop   each of n connections sends the next request when the answer is there
 *   --rate R      R requests a second, each on a free connection; what has to wait for one counts from when it was due
 *   --hold R      opens R streams a second until n are open, has the provider send faster, measures, has it end them
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
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>
#define SECOND 1000000000LL
#define SCRATCH (256 * 1024)
#define CARRY 40 /* bytes that are kept, so that nothing is missed between two reads */
#define MARK_LEN 33 /* t=<19 digits> n=<8 digits> and a blank */
#define HEAD_MAX 32768
#define FRESH 64 /* connects under way at once */

enum state { CLOSED, CONNECTING, IDLE, HEAD, LENGTH, SIZE, DATA, DATA_END, TRAILER };

struct conn {
  int fd, status, carry_len, head_len, has_done, has_error, is_out_of_order, is_first_seen, is_due_set, line_len;
  enum state state;
  long sent, left, length, tokens;
  int64_t asked_at;
  char carry[CARRY];
  char *head;
};

/* Times in ns, in 64 steps for each power of two: no more than 1.6 % off. */
struct times { long count, max, slot[64 * 64]; };

static struct times whole, first, delay;
static long port, control_port, wanted = 1, seconds = 3, warm_ms, rate, hold, expect_bytes, expect_tokens, is_stream;
static const char *path = "/", *body_file, *more_headers = "", *expect = "ok", *end_mark = "[DONE]";
static long requests, errors, started, open_now, most_open, reads, tokens, fresh;
static char first_error[256], *message;
static long message_len;
static struct conn *conns, **idle;
static long idle_count;
static int ep, timer, is_measuring, is_over;
static char room[CARRY + SCRATCH + 1], *scratch = room + CARRY;

static int64_t now_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * SECOND + t.tv_nsec;
}

static void note(struct times *of, int64_t ns) {
  if (!is_measuring || ns < 0) return;
  int power = ns < 64 ? 0 : 63 - __builtin_clzll(ns) - 5;
  of->slot[power * 64 + (ns >> power)]++, of->count++;
  if (ns > of->max) of->max = ns;
}

static double at(const struct times *of, double share) {
  long rank = of->count * share, seen = 0;
  for (int i = 0; i < 64 * 64; i++)
    if ((seen += of->slot[i]) > rank) return (double)((int64_t)(i % 64) << (i / 64)) / 1000;
  return of->max / 1000.0;
}

static void print_times(const char *name, const struct times *of) {
  if (of->count == 0) printf(",\"%s\":null", name);
  else printf(",\"%s\":{\"count\":%ld,\"p50\":%.1f,\"p90\":%.1f,\"p99\":%.1f,\"max\":%.1f}", name, of->count, at(of, .5), at(of, .9), at(of, .99), of->max / 1000.0);
}

static void fail(const char *why, long number) {
  if (errors++ == 0) snprintf(first_error, sizeof first_error, "%s (%ld)", why, number);
}
/* ---- connections */

static void shut(struct conn *c) {
  if (c->state == CLOSED) return;
  if (c->state == CONNECTING) fresh--;
  close(c->fd);
  c->state = CLOSED, c->head_len = 0;
}

static void dial(struct conn *c) {
  struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  c->fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
  if (c->fd < 0) { perror("load: no socket"); exit(1); }
  setsockopt(c->fd, IPPROTO_TCP, TCP_NODELAY, &(int){1}, sizeof(int));
  connect(c->fd, (struct sockaddr *)&to, sizeof to);
  struct epoll_event event = {.events = EPOLLIN | EPOLLOUT | EPOLLRDHUP | EPOLLET, .data.ptr = c};
  epoll_ctl(ep, EPOLL_CTL_ADD, c->fd, &event);
  c->state = CONNECTING;
  fresh++;
}

static int send_more(struct conn *c) {
  while (c->sent < message_len) {
    ssize_t n = send(c->fd, message + c->sent, message_len - c->sent, MSG_NOSIGNAL);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return errno == EAGAIN;
    c->sent += n;
  }
  return 1;
}

/* Asks now, or as soon as the connection stands. A time that is set before is when the request was due. */
static void ask(struct conn *c) {
  if (!c->is_due_set) c->asked_at = now_ns();
  c->is_due_set = 1;
  if (c->state == CLOSED) dial(c);
  if (c->state == CONNECTING) return;
  c->is_due_set = 0, c->state = HEAD;
  c->sent = c->tokens = c->length = 0;
  c->carry_len = c->head_len = c->has_done = c->has_error = c->is_out_of_order = c->is_first_seen = c->line_len = 0;
  /* What can't be sent is told by the next event. */
  send_more(c);
}
/* ---- answers */

static void judge(struct conn *c, int is_reset) {
  int is_ok = !strcmp(expect, "ok");
  note(&whole, now_ns() - c->asked_at);
  if (is_measuring) requests++;
  if (is_reset) {
    if (strcmp(expect, "reset")) fail("the connection has ended within an answer, bytes", c->length);
  } else if (!strcmp(expect, "reset")) fail("an answer where none was due", c->status);
  else if (!strcmp(expect, "status") ? c->status != 503 : c->status != 200) fail("status", c->status);
  else if (!strcmp(expect, "error") && !c->has_error) fail("no error event, bytes", c->length);
  else if (is_ok && is_stream && !c->has_done) fail("a stream without its end, tokens", c->tokens);
  else if (is_ok && is_stream && c->has_error) fail("an error event, tokens", c->tokens);
  else if (is_ok && is_stream && c->is_out_of_order) fail("tokens out of order, tokens", c->tokens);
  else if (is_ok && is_stream && expect_tokens && c->tokens != expect_tokens) fail("tokens", c->tokens);
  else if (is_ok && !is_stream && expect_bytes && c->length != expect_bytes) fail("bytes", c->length);
}

static void over(struct conn *c, int is_reset) {
  judge(c, is_reset);
  open_now--;
  if (is_reset) shut(c);
  else c->state = IDLE;
  if (rate) idle[idle_count++] = c;
  else if (!is_over && !hold) { open_now++; ask(c); }
}

static int64_t number(const char *p, int width) {
  int64_t value = 0;
  for (int i = 0; i < width; i++) value = value * 10 + (p[i] - '0');
  return value;
}

/* Looks for tokens and the end. In front of `p` there is room for what the read before has left over. */
static void look(struct conn *c, char *p, long len) {
  c->length += len;
  if (!is_stream) return;
  char *from = p - c->carry_len, *end = p + len;
  memcpy(from, c->carry, c->carry_len);
  for (char *mark; (mark = memmem(from, end - from, "\"t=", 3)) && end - mark > MARK_LEN; from = mark + MARK_LEN) {
    note(&delay, now_ns() - number(mark + 3, 19));
    if (number(mark + 25, 8) != c->tokens) c->is_out_of_order = 1;
    c->tokens++;
    if (is_measuring) tokens++;
    if (c->is_first_seen) continue;
    c->is_first_seen = 1, started++;
    note(&first, now_ns() - c->asked_at);
  }
  if (memmem(from, end - from, end_mark, strlen(end_mark))) c->has_done = 1;
  if (memmem(from, end - from, "\"error\"", 7)) c->has_error = 1;
  c->carry_len = end - from < CARRY ? end - from : CARRY;
  memmove(c->carry, end - c->carry_len, c->carry_len);
}

/* A whole head, ended by a zero. */
static void read_head(struct conn *c, const char *head) {
  c->status = atoi(head + 9), c->left = 0, c->state = LENGTH;
  for (const char *line = strchr(head, '\n'); line; line = strchr(line + 1, '\n')) {
    if (!strncasecmp(line + 1, "content-length:", 15)) c->left = atol(line + 16);
    if (!strncasecmp(line + 1, "transfer-encoding:", 18)) { c->state = SIZE; c->left = 0; }
  }
}

/* Collects a head, which may come in parts; gives what it has used, or -1. */
static long take_head(struct conn *c, char *p, long len) {
  char *end = c->head_len ? NULL : memmem(p, len, "\r\n\r\n", 4);
  if (end) {
    end[3] = 0;
    read_head(c, p);
    return end + 4 - p;
  }
  if (!c->head) c->head = malloc(HEAD_MAX + 1);
  for (long i = 0; i < len; i++) {
    if (c->head_len == HEAD_MAX) return -1;
    c->head[c->head_len++] = p[i];
    if (c->head_len < 4 || memcmp(c->head + c->head_len - 4, "\r\n\r\n", 4)) continue;
    c->head[c->head_len - 1] = 0;
    c->head_len = 0;
    read_head(c, c->head);
    return i + 1;
  }
  return len;
}

/* One byte of a line between chunks. */
static void take_line(struct conn *c, char byte) {
  if (byte == '\n') {
    if (c->state == SIZE) c->state = c->left ? DATA : TRAILER;
    else if (c->state == DATA_END) { c->state = SIZE; c->left = 0; }
    else if (c->line_len == 0) { over(c, 0); return; }
    c->line_len = 0;
  } else if (byte != '\r') {
    c->line_len++;
    int lower = byte | 32;
    if (c->state == SIZE) c->left = c->left * 16 + (lower >= 'a' ? lower - 'a' + 10 : byte - '0');
  }
}

/* 0: nonsense has come. */
static int feed(struct conn *c, char *p, long len) {
  while (len > 0) {
    long used = 1;
    if (c->state == HEAD) {
      if (c->sent < message_len && !strcmp(expect, "ok")) return 0;
      used = take_head(c, p, len);
      if (used < 0) return 0;
      if (c->state == LENGTH && c->left == 0) over(c, 0);
    } else if (c->state == LENGTH || c->state == DATA) {
      used = len < c->left ? len : c->left;
      look(c, p, used);
      c->left -= used;
      if (c->left == 0 && c->state == LENGTH) over(c, 0);
      else if (c->left == 0) c->state = DATA_END;
    } else if (c->state >= SIZE) take_line(c, *p);
    else return 0;
    p += used, len -= used;
  }
  return 1;
}

static void broken(struct conn *c) {
  int was_connecting = c->state == CONNECTING;
  if (c->state >= HEAD) { over(c, 1); return; }
  shut(c);
  if (was_connecting) {
    fail("can't connect", port);
    open_now--;
    if (rate) idle[idle_count++] = c;
  }
}
static void handle(struct conn *c, unsigned events) {
  if (c->state == CLOSED) return;
  if (c->state == CONNECTING) {
    if (events & (EPOLLERR | EPOLLHUP)) { broken(c); return; }
    if (!(events & EPOLLOUT)) return;
    fresh--, c->state = IDLE;
    if (c->is_due_set) ask(c);
    return;
  }
  if (c->state == HEAD && c->sent < message_len && !send_more(c)) { broken(c); return; }
  if (!(events & (EPOLLIN | EPOLLRDHUP | EPOLLERR | EPOLLHUP))) return;
  for (int fd = c->fd;;) {
    ssize_t n = recv(fd, scratch, SCRATCH, 0);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0 && errno == EAGAIN) return;
    reads++;
    if (n <= 0 || !feed(c, scratch, n)) { broken(c); return; }
    if (c->state == CLOSED || (n < SCRATCH && !(events & EPOLLRDHUP))) return;
  }
}
/* ---- the run */

/* Requests that are due: `next` is when the next one is. */
static int64_t send_due(int64_t next, int64_t now, int64_t period) {
  for (; next <= now && idle_count > 0; next += period) {
    struct conn *c = idle[--idle_count];
    /* One that is late by no more than the timer was, counts from now. */
    c->asked_at = now - next > period ? next : now_ns();
    c->is_due_set = 1, open_now++;
    ask(c);
  }
  return next;
}

static void turn(int64_t until) {
  static struct epoll_event events[512];
  struct itimerspec when = {.it_value = {until / SECOND, until % SECOND}};
  timerfd_settime(timer, TFD_TIMER_ABSTIME, &when, NULL);
  int n = epoll_wait(ep, events, 512, -1);
  for (int i = 0; i < n; i++) {
    uint64_t ticks;
    if (events[i].data.ptr) handle(events[i].data.ptr, events[i].events);
    else if (read(timer, &ticks, sizeof ticks) < 0) continue;
  }
  if (open_now > most_open) most_open = open_now;
}

/* Keeps the load up until a moment, or until all streams have begun. */
static void run(int64_t until, int is_opening) {
  static int64_t next, opened;
  int64_t period = rate ? SECOND / rate : hold ? SECOND / hold : SECOND;
  if (!next) next = now_ns();
  for (int64_t now; (now = now_ns()) < until;) {
    if (is_opening && (started >= wanted || errors > 0)) return;
    if (rate) next = send_due(next, now, period);
    else for (; opened < wanted && fresh < FRESH && (!hold || next <= now); next += period) {
      open_now++;
      ask(&conns[opened++]);
    }
    int is_waiting = rate ? idle_count > 0 : opened < wanted;
    int64_t wake = is_waiting && (rate || hold) ? next : now + SECOND / 20;
    turn(wake < until ? wake : until);
  }
}

static void tell(const char *event) {
  printf("{\"event\":\"%s\"}\n", event);
  fflush(stdout);
}

/* The provider, itself, is told how to go on with all streams. */
static void ask_provider(const char *what) {
  struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons(control_port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  char text[64], answer[1024];
  snprintf(text, sizeof text, "GET /%s HTTP/1.1\r\n\r\n", what);
  int fd = socket(AF_INET, SOCK_STREAM, 0);
  if (connect(fd, (struct sockaddr *)&to, sizeof to) || send(fd, text, strlen(text), 0) < 0 || recv(fd, answer, sizeof answer, 0) <= 0) fail("no provider at port", control_port);
  close(fd);
}
static void prepare(void) {
  FILE *file = fopen(body_file, "rb");
  if (!file || fseek(file, 0, SEEK_END)) { perror(body_file); exit(2); }
  long size = ftell(file);
  rewind(file);
  message = malloc(size + 8192);
  message_len = snprintf(message, 8192, "POST %s HTTP/1.1\r\nhost: 127.0.0.1:%ld\r\ncontent-type: application/json\r\n%scontent-length: %ld\r\n\r\n", path, port, more_headers, size);
  if (message_len >= 8192 || fread(message + message_len, 1, size, file) != (size_t)size) { fprintf(stderr, "load: can't read %s\n", body_file); exit(2); }
  message_len += size;
  fclose(file);
  conns = calloc(wanted, sizeof *conns);
  idle = calloc(wanted, sizeof *idle);
  for (long i = wanted - 1; i >= 0 && rate; i--) idle[idle_count++] = &conns[i];
  ep = epoll_create1(0);
  timer = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK);
  struct epoll_event event = {.events = EPOLLIN, .data.ptr = NULL};
  epoll_ctl(ep, EPOLL_CTL_ADD, timer, &event);
}

static void read_arguments(int argc, char **argv) {
  struct { const char *name; long *number; const char **text; } known[] = {
    {"port", &port, 0}, {"control-port", &control_port, 0}, {"connections", &wanted, 0}, {"seconds", &seconds, 0},
    {"warm-ms", &warm_ms, 0}, {"rate", &rate, 0}, {"hold", &hold, 0}, {"bytes", &expect_bytes, 0},
    {"tokens", &expect_tokens, 0}, {"stream", &is_stream, 0}, {"path", 0, &path}, {"body", 0, &body_file},
    {"headers", 0, &more_headers}, {"expect", 0, &expect}, {"end", 0, &end_mark},
  };
  for (int i = 1; i < argc; i += 2) {
    unsigned k = 0;
    while (k < sizeof known / sizeof *known && (strncmp(argv[i], "--", 2) || strcmp(argv[i] + 2, known[k].name))) k++;
    if (k == sizeof known / sizeof *known || i + 1 == argc) { fprintf(stderr, "load: what is %s?\n", argv[i]); exit(2); }
    if (known[k].number) *known[k].number = atol(argv[i + 1]);
    else *known[k].text = argv[i + 1];
  }
  if (!port || !body_file || wanted < 1) { fprintf(stderr, "usage: load --port N --body FILE [--path P] [--connections N] ...\n"); exit(2); }
}
int main(int argc, char **argv) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  read_arguments(argc, argv);
  prepare();
  if (hold) run(now_ns() + 60 * SECOND + wanted * SECOND / hold, 1);
  if (hold && started < wanted) fail("streams that have not begun", wanted - started);
  if (hold) ask_provider("pace");
  run(now_ns() + warm_ms * 1000000, 0);
  most_open = open_now;
  tell("begin");
  is_measuring = 1;
  int64_t began = now_ns();
  run(began + seconds * SECOND, 0);
  is_measuring = 0;
  double took = (now_ns() - began) / 1e9;
  tell("end");
  is_over = 1;
  if (hold) ask_provider("finish");
  for (int64_t limit = now_ns() + 30 * SECOND; open_now > 0 && now_ns() < limit;) turn(now_ns() + SECOND / 20);
  if (open_now) fail("answers that did not end", open_now);
  printf("{\"event\":\"result\",\"requests\":%ld,\"errors\":%ld,\"firstError\":\"%s\",\"seconds\":%.4f,\"open\":%ld,\"tokens\":%ld,\"reads\":%ld", requests, errors, first_error, took, most_open, tokens, reads);
  print_times("latency", &whole);
  print_times("first", &first);
  print_times("delay", &delay);
  printf("}\n");
  return 0;
}
