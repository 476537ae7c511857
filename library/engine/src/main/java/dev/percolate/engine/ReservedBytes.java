package dev.percolate.engine;

import dev.percolate.engine.BodyMemory.Purpose;
import dev.percolate.engine.BodyMemory.Share;
import dev.percolate.engine.WaitingBodies.Queue;

/** The bytes of a budget that one exchange uses. Used under the lock of {@link BodyMemory}. */
final class ReservedBytes {

  private final Share share;
  private final BudgetParts parts;

  /** The bytes of the body that have arrived, and those that a stream has returned. */
  private long arrived;

  private long passed;

  /**
   * The bytes granted for the body, and the bytes that count: those granted, or those buffered if
   * more.
   */
  private long granted;

  private long taken;

  /** The bytes claimed for the body. */
  private long claim;

  /** The bytes of a parsed value. */
  private long value;

  private boolean isLarge;
  private boolean over;

  ReservedBytes(Share share, BudgetParts parts) {
    this.share = share;
    this.parts = parts;
  }

  long taken() {
    return taken + value;
  }

  boolean isLarge() {
    return isLarge;
  }

  boolean isOver() {
    return over;
  }

  /** Returns true if a handler reads the body as a stream. */
  boolean isStream() {
    return passed > 0;
  }

  /** Returns true if an admitted body already has that many bytes. */
  boolean has(long total) {
    return isLarge && total <= taken();
  }

  /** Returns true if an admitted body asks for more than its claim, so that it must not wait. */
  boolean isUnclaimed(long total, Purpose purpose) {
    return isLarge && purpose == Purpose.BODY && total > claim;
  }

  void note(long total) {
    arrived = Math.max(arrived, total);
    settle();
  }

  void pass(long bytes) {
    passed += bytes;
    settle();
  }

  void release() {
    over = true;
    count(-taken);
    countValue(-value);
    claim = 0;
    isLarge = false;
    parts.growing().remove(this);
  }

  Queue queue(long total, long most, Purpose purpose) {
    if (purpose == Purpose.SHARE || isSmall(Math.max(taken, total))) {
      return Queue.SMALL;
    } else if (purpose == Purpose.PARSED) {
      return Queue.PARSED;
    } else if (isLarge) {
      return Queue.GROWING;
    }
    return parts.isMedium(Math.max(total, most)) ? Queue.MEDIUM : Queue.LARGE;
  }

  private boolean isSmall(long total) {
    return !isLarge && share.taken + total - taken <= BodyMemory.SHARE;
  }

  /** Reserves memory if it is free, even if other bodies wait; returns false if it is not. */
  boolean fits(long total, long most, Purpose purpose) {
    if (over) {
      return false;
    } else if (purpose == Purpose.SHARE || isSmall(total)) {
      return isLarge || fitsSmall(total, parts.maySmall(total - taken));
    }
    return purpose == Purpose.PARSED ? fitsValue(total, false) : fitsBody(total, most);
  }

  /** Reserves memory for a waiting body. The first parsed value may get less than it asks for. */
  boolean fitsWaiting(long total, long most, Purpose purpose) {
    return fits(total, most, purpose)
        || (!over && purpose == Purpose.PARSED && !isSmall(total) && fitsValue(total, true));
  }

  private boolean fitsSmall(long total, boolean may) {
    if (total > taken && !may) {
      return false;
    }
    granted = Math.max(granted, total);
    settle();
    return true;
  }

  private boolean fitsBody(long total, long most) {
    long claimed = Math.max(total, isLarge ? claim : most);
    long more = isLarge ? Math.max(0, total - taken) : total;
    boolean may =
        (isLarge && claimed == claim)
            ? parts.mayGrow(this, more, total, claim)
            : parts.mayBegin(this, more, total, isLarge ? total : claimed, claimed);
    if (!may) {
      return false;
    }
    if (!isLarge) {
      count(-taken);
      granted = 0;
      isLarge = true;
      if (claimed > total) {
        parts.growing().add(this, claimed);
      }
    }
    claim = claimed;
    granted = Math.max(granted, total);
    settle();
    parts.growing().changed(this, taken);
    return true;
  }

  private boolean fitsValue(long total, boolean waits) {
    long more = Math.max(0, total - taken - value);
    long counted = parts.ofValue(more, value);
    if (counted < (waits ? 0 : more)) {
      return false;
    }
    countValue(counted);
    return true;
  }

  /** Updates the counted bytes: those granted, or those buffered if there are more. */
  private void settle() {
    if (!over) {
      long here = isLarge ? granted : Math.max(granted, arrived - passed);
      count(here - taken);
    }
  }

  private void count(long bytes) {
    taken += bytes;
    share.taken += bytes;
    if (isLarge) {
      parts.bodies(bytes);
    } else {
      parts.small(bytes);
    }
  }

  private void countValue(long bytes) {
    value += bytes;
    parts.parsed(bytes);
  }
}
