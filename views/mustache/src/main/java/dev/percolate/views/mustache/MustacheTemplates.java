package dev.percolate.views.mustache;

import com.github.mustachejava.DefaultMustacheFactory;
import com.github.mustachejava.FragmentKey;
import com.github.mustachejava.Mustache;
import com.github.mustachejava.MustacheException;
import com.github.mustachejava.MustacheVisitor;
import dev.percolate.framework.TemplateFiles;
import java.io.File;
import java.io.IOException;
import java.io.Reader;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** The compiled templates of one directory, kept for one rendering or forever. */
final class MustacheTemplates extends DefaultMustacheFactory {

  private final TemplateFiles files;

  MustacheTemplates(TemplateFiles files) {
    this.files = files;
    setObjectHandler(new MustacheMembers());
  }

  /** Returns the template of a file. */
  Mustache at(Path file) {
    return compile(name(file));
  }

  @Override
  public Reader getReader(String file) {
    try {
      // Reads the whole file here, since the library drops the cause of an error while compiling.
      return new StringReader(Files.readString(files.path(file), StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new MustacheException("Could not read template \"" + file + "\"", e);
    }
  }

  @Override
  public String resolvePartialPath(String folder, String name, String extension) {
    try {
      return name(files.find(name, files.path(folder).resolve("template" + extension)));
    } catch (IOException e) {
      throw new MustacheException(e.getMessage(), e);
    }
  }

  @Override
  public MustacheVisitor createMustacheVisitor() {
    return new PartialVisitor(this);
  }

  /** Compiles the output of a lambda without caching it, since it may contain values. */
  @Override
  public Mustache getFragment(FragmentKey fragment) {
    Mustache mustache = getFragmentCacheFunction().apply(fragment);
    mustache.init();
    return mustache;
  }

  /** Returns a path with slashes, which the library expects on every operating system. */
  private static String name(Path file) {
    return file.toString().replace(File.separatorChar, '/');
  }
}
