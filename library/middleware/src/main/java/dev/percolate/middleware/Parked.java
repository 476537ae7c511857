package dev.percolate.middleware;

import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** A thread that is parked until {@link #end} is called. */
final class Parked implements BooleanSupplier {

  private final Thread thread = Thread.currentThread();
  private volatile boolean over;

  @Override
  public boolean getAsBoolean() {
    return over;
  }

  void end() {
    over = true;
    LockSupport.unpark(thread);
  }
}
