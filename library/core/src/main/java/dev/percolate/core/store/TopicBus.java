package dev.percolate.core.store;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Delivers the messages of topics to their subscribers, in one process or between several. {@code
 * MemoryTopics} of the module {@code middleware} does so in memory. {@code TopicBusContract} of the
 * module {@code testkit} tests all of this.
 *
 * <p>A bus must be thread-safe. Its methods may block, unless the server runs on event loops.
 */
public interface TopicBus {

  /**
   * A message of a topic.
   *
   * @param id the number of the message in its topic: positive, and greater than those of all
   *     earlier messages, including those sent before a restart. Numbers may be skipped. If the bus
   *     has a clock, the id is the time of sending in microseconds since 1970, so that a socket
   *     that joins late knows which messages are new to it
   * @param json the content
   */
  record Message(long id, String json) {}

  /**
   * Publishes a message to all current and later subscribers of a topic.
   *
   * @param topic the name of the topic
   * @param json the content of the message
   * @param keep the minimum number of messages to keep for later subscribers, including this one; 0
   *     for none
   * @return the id of the message
   * @throws IOException if the message cannot be published; some subscribers may have received it
   */
  long publish(String topic, String json, int keep) throws IOException;

  /**
   * Subscribes a consumer to a topic. It receives the kept messages within this call, then each new
   * message. Messages arrive in the order of their ids, without duplicates, and without gaps since
   * the call.
   *
   * @param topic the name of the topic
   * @param since the id after which to begin; 0 for all kept messages. If it is greater than the
   *     last id, the bus has lost its messages since then, and delivers all that it has kept
   * @param consumer called with one message at a time, on any thread. It must not block, and may
   *     call {@link #publish} but not this method. Its exceptions are logged; it still receives
   *     later messages, and other consumers are not affected
   * @return ends the subscription when closed; a call in progress may still continue. Callers close
   *     it a few seconds after their last listener has left
   * @throws IOException if the subscription fails
   */
  AutoCloseable subscribe(String topic, long since, Consumer<? super Message> consumer)
      throws IOException;

  /**
   * Returns the time of the clock from which ids are taken, in microseconds since 1970. Must not
   * block. Called after {@link #subscribe}. Default: the clock of this server.
   */
  default long micros() {
    return TimeUnit.MILLISECONDS.toMicros(System.currentTimeMillis());
  }
}
