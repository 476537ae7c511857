package dev.percolate.dev;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Enabled;
import jdk.jfr.Event;
import jdk.jfr.EventType;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** A step of a request, for the Flight Recorder. */
@Name("dev.percolate.Step")
@Label("Step")
@Description("A step of a request, with all that follows it inside of its call")
@Category("Percolate")
@Enabled(false)
@StackTrace(false)
final class StepEvent extends Event {

  private static final EventType TYPE = EventType.getEventType(StepEvent.class);

  @Label("Request")
  long request;

  @Label("Layer")
  String layer = "";

  @Label("Defined At")
  String origin = "";

  @Label("Class")
  String step = "";

  /** Tells whether a recording wants these events. */
  static boolean isOn() {
    return TYPE.isEnabled();
  }
}
