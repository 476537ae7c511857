package dev.percolate.core;

/** Stands for "leave the route" where an error could stand; never thrown. */
final class LeaveRoute extends Throwable {

  private static final long serialVersionUID = 1L;

  LeaveRoute() {
    super("route", null, false, false);
  }
}
