// Shared code of the clients in C: connections, events, and latencies.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <time.h>

// The number of connections opened at once, because the server's accept queue is short.
#define BATCH 256
#define EVENTS 512
// Each latency bucket is 1/32 wider than the previous one, which is the precision of the result.
#define FINE 32
#define BUCKETS (40 * FINE)

static int epoll;
static long answers, latencies[BUCKETS];
static int64_t longest;

static int64_t now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static void fail(const char *what) {
  fprintf(stderr, "client: %s (%s)\n", what, errno ? strerror(errno) : "no error of the system");
  exit(1);
}

// Counts a response and its latency.
static void note(int64_t nanos) {
  uint64_t value = nanos < FINE ? FINE : nanos;
  int power = 63 - __builtin_clzll(value);
  int bucket = (power - 5) * FINE + (int)((value >> (power - 5)) - FINE);
  latencies[bucket < BUCKETS ? bucket : BUCKETS - 1]++;
  if (nanos > longest) longest = nanos;
  answers++;
}

// Clears all counts.
static void forget(void) {
  answers = longest = 0;
  memset(latencies, 0, sizeof latencies);
}

// Returns the latency in microseconds that the given share of responses did not exceed.
static double percentile(double share) {
  long below = 0, wanted = (long)(share * answers);
  for (int bucket = 0; bucket < BUCKETS; bucket++)
    if ((below += latencies[bucket]) > wanted) return (double)((int64_t)(FINE + bucket % FINE + 1) << (bucket / FINE)) / 1000;
  return (double)longest / 1000;
}

static void tell(long errors, int64_t nanos) {
  printf("%ld %ld %.0f %.1f %.1f %.1f\n", answers, errors, nanos / 1e3, percentile(.5), percentile(.99), longest / 1e3);
  fflush(stdout);
}

static int dial(int port) {
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  int one = 1, fd = socket(AF_INET, SOCK_STREAM, 0);
  if (fd < 0 || connect(fd, (void *)&address, sizeof address)) fail("connect");
  setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
  return fd;
}

static void watch(int fd, void *data) {
  struct epoll_event event = {EPOLLIN, {.ptr = data}};
  if (epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event)) fail("epoll_ctl");
}

static int await(struct epoll_event *events, int64_t nanos) {
  struct timespec timeout = {nanos / 1000000000, nanos % 1000000000};
  return epoll_pwait2(epoll, events, EVENTS, nanos < 0 ? &(struct timespec){0, 0} : &timeout, NULL);
}
