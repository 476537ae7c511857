package dev.percolate.logger;

import com.vlkan.rfos.RotationCallback;
import com.vlkan.rfos.policy.RotationPolicy;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Hears what became of rotations; as a policy, which there must be, it asks for none. */
final class RotationEvents implements RotationCallback, RotationPolicy {

  private final RotatedFiles rotated;
  private final int keep;
  private final LossCounter alarm;
  private boolean failed;

  RotationEvents(RotatedFiles rotated, int keep, LossCounter alarm) {
    this.rotated = rotated;
    this.keep = keep;
    this.alarm = alarm;
  }

  /** Tells whether the rotation just asked for, by the same thread, has failed. */
  boolean takeFailure() {
    boolean now = failed;
    failed = false;
    return now;
  }

  @Override
  public void onTrigger(@Nullable RotationPolicy policy, Instant instant) {}

  @Override
  public void onOpen(@Nullable RotationPolicy policy, Instant instant, OutputStream stream) {}

  @Override
  public void onClose(@Nullable RotationPolicy policy, Instant instant, OutputStream stream) {}

  @Override
  public void onSuccess(@Nullable RotationPolicy policy, Instant instant, File file) {
    if (keep > 0) {
      try {
        rotated.prune(keep);
      } catch (IOException | RuntimeException e) {
        alarm.raise(0, "deleting old log files failed", e);
      }
    }
  }

  /**
   * Warns.
   *
   * @param file what could not be compressed; null if the rotation itself failed
   */
  @Override
  public void onFailure(
      @Nullable RotationPolicy policy, Instant instant, @Nullable File file, Exception error) {
    if (file == null) {
      failed = true;
      alarm.raise(0, "rotating a log file failed", error);
    } else if (file.exists()) { // otherwise there were too many before its turn came
      alarm.raise(0, "compressing a log file failed", error);
    }
  }
}
