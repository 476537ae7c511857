// Sends the same request to an HTTP/1.1 server over kept connections, at full speed or at an even
// pace.
//
// usage: client PORT CONNECTIONS RATE SECONDS, with the bytes of the request in hexadecimal as the
// first line of standard input
//
// Opens all connections, sends one request on each, prints "open", and waits for a line. Then sends
// requests for the given seconds: RATE per second over all connections, or with RATE 0 on each
// connection as soon as it has a response. Waits for the remaining responses, prints one line
// (responses, errors, total microseconds, p50, p99 and maximum in microseconds), and keeps the
// connections open until its input ends.
//
// A paced request is due at its time even if its connection still waits for the previous response.
// Its latency counts from that time, so delays of the server are included (no "coordinated
// omission").
#include "client.h"

#include <strings.h>
#include <sys/prctl.h>
#include <unistd.h>

#define HEAD 2048
#define PATIENCE 5000000000LL

typedef struct {
  int fd, used, waiting;
  bool busy;
  long body;  // Remaining bytes of the body; -1 while the head is read.
  int64_t due;
  char head[HEAD];
} Connection;

static int port, count, busy;
static double rate;
static Connection *all;
static char request[1 << 16], input[1 << 17], received[1 << 18];
static size_t length;
static long errors;

static void connect_to(Connection *c) {
  c->fd = dial(port);
  watch(c->fd, c);
}

// Closes a connection, counts an error, and opens a new one.
static void lose(Connection *c) {
  errors++;
  close(c->fd);
  if (c->busy) busy--;
  c->busy = false;
  connect_to(c);
}

static void ask(Connection *c, int64_t due) {
  c->due = due;
  c->used = 0;
  c->body = -1;
  c->busy = true;
  busy++;
  if (send(c->fd, request, length, MSG_NOSIGNAL) != (ssize_t)length) lose(c);
}

// Reads the head of a response. Returns the length of the body, or -1 if the head is invalid.
static long body_length(const char *head) {
  const char *field = strcasestr(head, "\r\nContent-Length:");
  return strncmp(head, "HTTP/1.1 200", 12) || !field ? -1 : atol(field + 17);
}

// Reads received bytes. Returns 1 if the response is complete, 0 if it is not, -1 if it is invalid.
static int take(Connection *c, const char *bytes, int n) {
  if (c->body >= 0) {
    c->body -= n;
  } else {
    int room = HEAD - 1 - c->used, part = n < room ? n : room;
    memcpy(c->head + c->used, bytes, part);
    c->head[c->used + part] = 0;
    char *end = strstr(c->head, "\r\n\r\n");
    if (!end) {
      c->used += part;
      return part == room ? -1 : 0;
    }
    end[2] = 0;
    long whole = body_length(c->head);
    c->body = whole - (c->used + n - (end + 4 - c->head));
    if (whole < 0) return -1;
  }
  return c->body < 0 ? -1 : c->body == 0;
}

// Returns true if the connection has a response, valid or not.
static bool receive(Connection *c) {
  int n = recv(c->fd, received, sizeof received, 0);
  int taken = n > 0 && c->busy ? take(c, received, n) : -1;
  if (taken < 0) {
    lose(c);
    return true;
  }
  if (taken == 0) return false;
  c->busy = false;
  busy--;
  note(now() - c->due);
  return true;
}

// Waits for all outstanding responses.
static void drain(void) {
  struct epoll_event events[EVENTS];
  for (int64_t end = now() + PATIENCE; busy > 0 && now() < end;) {
    int n = await(events, end - now());
    for (int i = 0; i < n; i++) receive(events[i].data.ptr);
  }
  errors += busy;
}

// Opens connections in batches, because the server's accept queue is short.
static void open_all(void) {
  for (int i = 0; i < count; i++) {
    connect_to(&all[i]);
    ask(&all[i], now());
    if ((i + 1) % BATCH == 0 || i + 1 == count) drain();
  }
  if (errors) fail("the response to a first request did not have status 200 and Content-Length");
  forget();
}

static void saturate(int64_t end) {
  struct epoll_event events[EVENTS];
  for (int i = 0; i < count; i++) ask(&all[i], now());
  while (now() < end) {
    int n = await(events, end - now());
    for (int i = 0; i < n; i++) {
      Connection *c = events[i].data.ptr;
      if (receive(c)) ask(c, now());
    }
  }
}

static void pace(int64_t start, double seconds) {
  struct epoll_event events[EVENTS];
  double gap = 1e9 / rate;
  long next = 0, last = (long)(rate * seconds), late = 0;
  for (int64_t most = start + (int64_t)(seconds * 1e9) + PATIENCE; (next < last || late > 0) && now() < most;) {
    for (; next < last && start + (int64_t)(next * gap) <= now(); next++) {
      Connection *c = &all[next % count];
      if (c->busy) {
        c->waiting++;
        late++;
      } else {
        ask(c, start + (int64_t)(next * gap));
      }
    }
    int n = await(events, next < last ? start + (int64_t)(next * gap) - now() : PATIENCE / 100);
    for (int i = 0; i < n; i++) {
      Connection *c = events[i].data.ptr;
      if (receive(c) && c->waiting > 0) {
        c->waiting--;
        late--;
        ask(c, c->due + (int64_t)(count * gap));
      }
    }
  }
  errors += late;
}

static void read_request(void) {
  if (!fgets(input, sizeof input, stdin)) exit(1);
  unsigned byte;
  for (char *at = input; length < sizeof request && sscanf(at, "%2x", &byte) == 1; at += 2) request[length++] = byte;
}

int main(int given, char **arguments) {
  if (given != 5) return 2;
  port = atoi(arguments[1]);
  count = atoi(arguments[2]);
  rate = atof(arguments[3]);
  double seconds = atof(arguments[4]);
  // Otherwise the kernel extends waits by up to 50 µs.
  prctl(PR_SET_TIMERSLACK, 1);
  read_request();
  all = calloc(count, sizeof *all);
  epoll = epoll_create1(0);
  open_all();
  puts("open");
  fflush(stdout);
  if (!fgets(input, sizeof input, stdin)) return 0;
  int64_t start = now();
  if (rate > 0) pace(start, seconds);
  else saturate(start + (int64_t)(seconds * 1e9));
  drain();
  tell(errors, now() - start);
  while (fgets(input, sizeof input, stdin)) continue;
  return 0;
}
