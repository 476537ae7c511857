// Opens WebSockets to one server, and sends texts on them.
//
// usage: sockets echo PORT COUNT BYTES SECONDS GET /sockets, which returns each text
// sockets ws PORT COUNT BYTES SECONDS GET /ws, the same
// sockets topic PORT COUNT BYTES SECONDS GET /topic, which receives what GET /publish sends
//
// Opens all sockets, transfers one text on each, prints "open", and waits for a line. Pings get a
// pong. Then, for the given seconds, each socket sends its text as soon as the previous one is back
// (echo), or a text is published as soon as all sockets have the previous one (topic). A text has
// BYTES bytes; anything else is an error. Waits for the remaining texts, prints one line (texts,
// errors, total microseconds, p50, p99 and maximum in microseconds), and keeps the sockets open
// until its input ends. Sockets are closed with a reset, so that no port remains in use.
#include "client.h"

#include <signal.h>
#include <unistd.h>

#define MOST 65535
#define PATIENCE 10000000000LL
#define PING 9
#define ACCEPTED "s3pPLMBiTxaQ9kYGzzhZRbK+xOo="

typedef struct {
  int fd, got;
  bool begun, open;
  long left;  // Remaining bytes of the text.
  int64_t sent;
  char head[256];
} Socket;

static const char *const UPGRADE =
    "GET %s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
    "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n";
static const unsigned char MASK[4] = {0x37, 0xfa, 0x21, 0x3d};

static const char *path = "/sockets";
static int port, count, due, publisher;
static bool topic;
static Socket *all;
static long size, errors;
static int64_t published;
static char text[MOST], frame[MOST + 8], publish[256], received[1 << 18], input[64];
static int frame_length;

// Writes the text: words, or for a topic a JSON string.
static void write_text(void) {
  for (long i = 0; i < size; i++) text[i] = topic ? 'x' : "the quick brown fox "[i % 20];
  if (topic) text[0] = text[size - 1] = '"';
  int at = 0;
  frame[at++] = (char)0x81;
  if (size < 126) {
    frame[at++] = (char)(0x80 | size);
  } else {
    frame[at++] = (char)(0x80 | 126);
    frame[at++] = (char)(size >> 8);
    frame[at++] = (char)size;
  }
  memcpy(frame + at, MASK, 4);
  at += 4;
  for (long i = 0; i < size; i++) frame[at++] = text[i] ^ MASK[i & 3];
  frame_length = at;
}

static void put(int fd, const char *bytes, int n) {
  if (send(fd, bytes, n, MSG_NOSIGNAL) != n) fail("send");
}

static void say(Socket *s) {
  s->sent = now();
  due++;
  put(s->fd, frame, frame_length);
}

static void publish_one(void) {
  published = now();
  due = count;
  put(publisher, publish, strlen(publish));
}

// Reads the head of the upgrade response. Returns the number of bytes read.
static int begin(Socket *s, const char *bytes, int n) {
  for (int i = 0; i < n; i++) {
    if (s->got == sizeof s->head - 1) memmove(s->head, s->head + 1, --s->got);
    s->head[s->got++] = bytes[i];
    if (s->got == 12 && !s->begun) {
      s->begun = true;
      if (memcmp(s->head, "HTTP/1.1 101", 12)) {
        fprintf(stderr, "client: socket %ld of %d: %.12s\n", s - all + 1, count, s->head);
        exit(1);
      }
    }
    if (s->got >= 4 && !memcmp(s->head + s->got - 4, "\r\n\r\n", 4)) {
      s->open = true;
      s->got = 0;
      due--;
      return i + 1;
    }
  }
  return n;
}

static void pong(Socket *s) {
  static const char PONG[] = {(char)0x8a, (char)0x80, 0, 0, 0, 0};
  put(s->fd, PONG, sizeof PONG);
}

// Reads the head of a frame. Returns the number of bytes read.
static int head(Socket *s, const char *bytes, int n) {
  int taken = 0;
  while (taken < n) {
    s->head[s->got++] = bytes[taken++];
    int short_length = s->got < 2 ? -1 : s->head[1];
    if (s->got == 2 && (s->head[0] & 15) == PING && short_length == 0) {
      s->got = 0;
      pong(s);
    } else if ((s->got == 2 && short_length < 126) || s->got == 4) {
      long length = short_length < 126 ? short_length : ((unsigned char)s->head[2] << 8 | (unsigned char)s->head[3]);
      if ((unsigned char)s->head[0] != 0x81 || length != size) fail("received another frame than the text");
      s->got = 0;
      s->left = length;
      return taken;
    }
  }
  return taken;
}

static void whole(Socket *s) {
  due--;
  if (!topic) note(now() - s->sent);
  else if (due == 0) note(now() - published);
}

// Returns true if a text is complete.
static bool receive(Socket *s) {
  int n = recv(s->fd, received, sizeof received, 0), at = 0;
  if (n <= 0) fail("a socket was closed");
  bool ended = false;
  while (at < n) {
    if (!s->open) {
      at += begin(s, received + at, n - at);
    } else if (s->left == 0) {
      at += head(s, received + at, n - at);
    } else {
      int part = n - at < s->left ? n - at : (int)s->left;
      if (memcmp(received + at, text + size - s->left, part)) fail("received another text");
      at += part;
      s->left -= part;
      if (s->left > 0) continue;
      whole(s);
      ended = true;
    }
  }
  return ended;
}

// Handles the response to a publish request, which may arrive before, between or after the texts.
static bool of_publisher(struct epoll_event *event) {
  if (event->data.ptr != &publisher) return false;
  if (recv(publisher, received, sizeof received, 0) <= 0) fail("the publisher's connection was closed");
  if (memcmp(received, "HTTP/1.1 200", 12) != 0) fail("publishing failed");
  return true;
}

// Waits for all outstanding texts, up to a timeout, without sending.
static void drain(const char *what) {
  struct epoll_event events[EVENTS];
  for (int64_t end = now() + PATIENCE; due > 0 && now() < end;) {
    int n = await(events, end - now());
    for (int i = 0; i < n; i++)
      if (!of_publisher(&events[i])) receive(events[i].data.ptr);
  }
  if (due > 0 && what) fail(what);
  errors += due;
}

static void open_all(void) {
  struct linger reset = {1, 0};
  char request[512];
  int length = snprintf(request, sizeof request, UPGRADE, topic ? "/topic" : path, port);
  for (int i = 0; i < count; i++) {
    Socket *s = &all[i];
    s->fd = dial(port);
    setsockopt(s->fd, SOL_SOCKET, SO_LINGER, &reset, sizeof reset);
    watch(s->fd, s);
    due++;
    put(s->fd, request, length);
    if ((i + 1) % BATCH == 0 || i + 1 == count) drain("a socket was not opened");
  }
}

static void check_handshake(void) {
  char request[512];
  int length = snprintf(request, sizeof request, UPGRADE, topic ? "/topic" : path, port), fd = dial(port), n = 0, more;
  setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &(struct timeval){5, 0}, sizeof(struct timeval));
  put(fd, request, length);
  while (!strstr(received, "\r\n\r\n") && (more = recv(fd, received + n, 4096, 0)) > 0) received[n += more] = 0;
  if (strncmp(received, "HTTP/1.1 101", 12) || !strstr(received, ACCEPTED) || strcasestr(received, "\nSec-WebSocket-Extensions:")) fail("not a WebSocket");
  close(fd);
}

static void first_texts(void) {
  if (topic) {
    publisher = dial(port);
    watch(publisher, &publisher);
    snprintf(publish, sizeof publish, "GET /publish?bytes=%ld HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n\r\n", size, port);
    publish_one();
    drain("not all sockets received the first message");
  }
  for (int i = 0; i < count && !topic; i++) {
    say(&all[i]);
    if ((i + 1) % BATCH == 0 || i + 1 == count) drain("a first text did not come back");
  }
}

// Waits for a line and handles pings meanwhile. Returns false at the end of the input.
static bool wait_for_line(void) {
  struct epoll_event events[EVENTS];
  while (true) {
    int n = await(events, PATIENCE);
    for (int i = 0; i < n; i++) {
      if (events[i].data.ptr == input) return read(0, input, sizeof input) > 0;
      if (!of_publisher(&events[i])) receive(events[i].data.ptr);
    }
  }
}

static void talk(int64_t end) {
  struct epoll_event events[EVENTS];
  for (int i = 0; i < count && !topic; i++) say(&all[i]);
  if (topic) publish_one();
  while (now() < end) {
    int n = await(events, end - now());
    for (int i = 0; i < n; i++) {
      Socket *s = events[i].data.ptr;
      if (of_publisher(&events[i])) continue;
      if (receive(s) && !topic) say(s);
    }
    if (topic && due == 0) publish_one();
  }
}

int main(int given, char **arguments) {
  if (given != 6) return 2;
  topic = !strcmp(arguments[1], "topic");
  if (!strcmp(arguments[1], "ws")) path = "/ws";
  port = atoi(arguments[2]);
  count = atoi(arguments[3]);
  size = atol(arguments[4]);
  if (size < 3 || size > MOST) return 2;
  all = calloc(count, sizeof *all);
  epoll = epoll_create1(0);
  write_text();
  check_handshake();
  open_all();
  first_texts();
  forget();
  puts("open");
  fflush(stdout);
  watch(0, input);
  if (!wait_for_line()) return 0;
  int64_t start = now();
  talk(start + (int64_t)(atof(arguments[5]) * 1e9));
  drain(NULL);
  tell(errors, now() - start);
  while (wait_for_line()) continue;
  return 0;
}
