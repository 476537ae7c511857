package dev.percolate.inspector;

import jdk.jfr.Category;
import jdk.jfr.Enabled;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** The Flight Recorder event of a request. */
@Name("dev.percolate.Request")
@Label("Request")
@Category("Percolate")
@Enabled(false)
@StackTrace(false)
final class RequestEvent extends Event {

  @Label("Request")
  long request;

  @Label("Method")
  String method = "";

  @Label("Route")
  String route = "";

  @Label("Status")
  int status;
}
