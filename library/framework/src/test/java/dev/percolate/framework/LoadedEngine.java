package dev.percolate.framework;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** An engine found by its extension, which counts the calls of {@link #extensions}. */
public final class LoadedEngine implements TemplateEngine {

  private static int asked;

  /** Creates the engine as a service provider. */
  public LoadedEngine() {}

  @Override
  public String render(Path file, Map<String, @Nullable Object> locals) {
    return file.getFileName() + " by a provider asked " + asked + " times";
  }

  @Override
  public List<String> extensions() {
    asked++;
    return List.of("other", "loaded");
  }
}
