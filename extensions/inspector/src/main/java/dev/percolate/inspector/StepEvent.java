package dev.percolate.inspector;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Enabled;
import jdk.jfr.Event;
import jdk.jfr.EventType;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** The Flight Recorder event of one middleware or handler call. */
@Name("dev.percolate.Step")
@Label("Step")
@Description("One call of a middleware or handler, including the calls nested in it")
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

  /** Returns true if a recording has enabled these events. */
  static boolean isOn() {
    return TYPE.isEnabled();
  }
}
