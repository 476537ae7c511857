package dev.percolate.middleware;

import dev.percolate.core.store.TopicBus;
import dev.percolate.http.EventText;
import dev.percolate.http.Frame;
import dev.percolate.http.Utf8;
import org.jspecify.annotations.Nullable;

/** One message of a topic as its listeners get it, each form made once for all of them. */
final class TopicEntry {

  private final TopicBus.Message message;
  private byte @Nullable [] event;
  private @Nullable SharedFrame frame;

  TopicEntry(TopicBus.Message message) {
    this.message = message;
  }

  long id() {
    return message.id();
  }

  String json() {
    return message.json();
  }

  synchronized byte[] event() {
    byte[] known = event;
    if (known == null) {
      known = Utf8.bytes(EventText.of(Long.toString(id()), "", json()));
      event = known;
    }
    return known;
  }

  synchronized SharedFrame frame() {
    SharedFrame known = frame;
    if (known == null) {
      known = new SharedFrame(Frame.TEXT, Utf8.bytes(json()));
      frame = known;
    }
    return known;
  }
}
