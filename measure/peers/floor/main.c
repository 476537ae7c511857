// The floor: one epoll loop that receives, ignores the request, and sends the response of /plaintext.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#define EVENTS 1024

static const char ANSWER[] =
    "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 13\r\nDate: Mon, 23 Nov 2026 12:00:00 GMT\r\n\r\nHello, World!";
static char received[1 << 16];

static int listen_on(int port) {
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  int one = 1, listener = socket(AF_INET, SOCK_STREAM, 0);
  setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
  return bind(listener, (void *)&address, sizeof address) || listen(listener, 1024) ? -1 : listener;
}

static void add(int epoll, int fd) {
  struct epoll_event event = {EPOLLIN, {.fd = fd}};
  epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event);
}

static void take_on(int epoll, int listener) {
  int one = 1, fd = accept4(listener, NULL, NULL, SOCK_NONBLOCK);
  if (fd < 0) return;
  setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
  add(epoll, fd);
}

int main(int given, char **arguments) {
  int listener = given == 2 ? listen_on(atoi(arguments[1])) : -1, epoll = epoll_create1(0);
  if (listener < 0) return 1;
  add(epoll, listener);
  puts("ready");
  fflush(stdout);
  for (struct epoll_event events[EVENTS];;) {
    int n = epoll_wait(epoll, events, EVENTS, -1), asked = 0;
    // Reads all requests before it sends a response, like event loops: this reduces the number of waits.
    for (int i = 0; i < n; i++) {
      int fd = events[i].data.fd;
      if (fd == listener) take_on(epoll, listener);
      else if (recv(fd, received, sizeof received, 0) > 0) events[asked++].data.fd = fd;
      else close(fd);
    }
    for (int i = 0; i < asked; i++)
      if (send(events[i].data.fd, ANSWER, sizeof ANSWER - 1, MSG_NOSIGNAL) < 0) close(events[i].data.fd);
  }
}
