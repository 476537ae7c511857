package dev.percolate.views.thymeleaf;

import dev.percolate.framework.TemplateFiles;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.thymeleaf.IEngineConfiguration;
import org.thymeleaf.cache.AlwaysValidCacheEntryValidity;
import org.thymeleaf.cache.ICacheEntryValidity;
import org.thymeleaf.cache.NonCacheableCacheEntryValidity;
import org.thymeleaf.templatemode.TemplateMode;
import org.thymeleaf.templateresolver.ITemplateResolver;
import org.thymeleaf.templateresolver.TemplateResolution;
import org.thymeleaf.templateresource.ITemplateResource;

/**
 * Finds templates in the views directory.
 *
 * @param files finds the files
 */
record ThymeleafResolver(TemplateFiles files) implements ITemplateResolver {

  @Override
  public String getName() {
    return files.root().toString();
  }

  @Override
  public Integer getOrder() {
    return 1;
  }

  /** Returns a template, or null if it does not exist, which Thymeleaf reports as an error. */
  @Override
  public @Nullable TemplateResolution resolveTemplate(
      IEngineConfiguration configuration,
      @Nullable String owner,
      String name,
      @Nullable Map<String, Object> attributes) {
    Object from = attributes == null ? null : attributes.get(NamingContext.FROM);
    Path path = from == null ? files.path(name) : named(name, owner, files.path(from.toString()));
    if (path == null) {
      return null;
    }
    ICacheEntryValidity validity =
        files.cached()
            ? AlwaysValidCacheEntryValidity.INSTANCE
            : NonCacheableCacheEntryValidity.INSTANCE;
    return new TemplateResolution(new ThymeleafFile(path), TemplateMode.HTML, validity);
  }

  private @Nullable Path named(String name, @Nullable String owner, Path from) {
    if (Objects.equals(name, owner)) {
      return from; // a fragment of the same template: ~{:: name}
    }
    try {
      return files.find(name, from);
    } catch (FileNotFoundException e) {
      return null;
    }
  }

  /**
   * A template in a UTF-8 file.
   *
   * @param path the path of the file
   */
  private record ThymeleafFile(Path path) implements ITemplateResource {

    @Override
    public String getDescription() {
      return path.toString();
    }

    /** Returns the base name of the message files of this template. */
    @Override
    public String getBaseName() {
      String name = path.getFileName().toString();
      int dot = name.lastIndexOf('.');
      return dot < 0 ? name : name.substring(0, dot);
    }

    @Override
    public boolean exists() {
      return Files.isRegularFile(path);
    }

    @Override
    public Reader reader() throws IOException {
      return Files.newBufferedReader(path, StandardCharsets.UTF_8);
    }

    /** Returns a message file. Thymeleaf calls this only for message files. */
    @Override
    public ITemplateResource relative(String location) {
      return new ThymeleafFile(path.resolveSibling(location));
    }
  }
}
