package dev.percolate.logger;

import dev.percolate.benchmarks.DiscardingExchange;
import dev.percolate.http.Headers;

/** An exchange with the request of a sample. */
final class SampleExchange extends DiscardingExchange {

  private final Sample sample;

  SampleExchange(Sample sample) {
    super(sample.target());
    this.sample = sample;
  }

  @Override
  public String method() {
    return sample.method();
  }

  @Override
  public Headers headers() {
    return sample.headers();
  }

  @Override
  public String remoteAddress() {
    return sample.address();
  }
}
