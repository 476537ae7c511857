package dev.percolate.core.store;

import java.io.IOException;
import java.util.function.Consumer;

/**
 * Carries the messages of topics from who sends them to all who listen, in one process or between
 * several; {@code MemoryTopics} of the module {@code middleware} is one. {@code TopicBusContract}
 * of the module {@code testkit} checks what is said here.
 *
 * <p>Any thread may use it, several at the same time. Its methods may wait, unless the server runs
 * on event loops.
 */
public interface TopicBus {

  /**
   * One message as it is carried.
   *
   * @param id its place among those of its topic: positive, and greater than that of each message
   *     before it, also of those that were sent before a restart; numbers may be left out. If the
   *     bus has a clock, the id is the time of sending in microseconds since 1970, so that a socket
   *     that joins late learns which messages are new to it
   * @param json what it says
   */
  record Message(long id, String json) {}

  /**
   * Carries a message to all who listen to a topic, now or later.
   *
   * @param topic the name of the topic
   * @param json what it says
   * @param keep how many messages of the topic are kept for those who come later, at least, this
   *     one among them; none if it is 0
   * @return its id
   * @throws IOException if it cannot be carried; then some may have it, and others not
   */
  long publish(String topic, String json, int keep) throws IOException;

  /**
   * Has a consumer called with the messages of a topic: within this call with those that are kept,
   * then with each that comes. They come in the order of their ids, none twice, and none is left
   * out that has come since the call.
   *
   * @param topic the name of the topic
   * @param since the id behind which it begins; 0 for all that are kept. If it is greater than that
   *     of the last message, it was given before the bus has lost its memory, and all that are kept
   *     come
   * @param consumer is called with one message at a time, by any thread. It must not block, and may
   *     call {@link #publish} but not this method. If it throws, that is logged; it still gets
   *     later messages, and other consumers miss none
   * @return ends the calls for good, and the work of the bus for them; a call that is under way may
   *     still continue. It is closed some seconds after the last listener has left
   * @throws IOException if the topic cannot be listened to
   */
  AutoCloseable subscribe(String topic, long since, Consumer<? super Message> consumer)
      throws IOException;
}
