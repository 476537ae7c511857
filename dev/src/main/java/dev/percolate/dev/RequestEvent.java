package dev.percolate.dev;

import jdk.jfr.Category;
import jdk.jfr.Enabled;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** A request, for the Flight Recorder. */
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
