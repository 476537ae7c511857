package dev.percolate.middleware.socket;

import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** A thread that is parked until {@link #end} is called. */
public final class ParkedThread implements BooleanSupplier {

  private final Thread thread = Thread.currentThread();
  private volatile boolean over;

  @Override
  public boolean getAsBoolean() {
    return over;
  }

  public void end() {
    over = true;
    LockSupport.unpark(thread);
  }
}
