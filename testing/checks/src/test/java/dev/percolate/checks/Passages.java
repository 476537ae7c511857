package dev.percolate.checks;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.IdentifierTree;
import com.sun.source.tree.LiteralTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.ModifiersTree;
import com.sun.source.tree.ModuleTree;
import com.sun.source.tree.PackageTree;
import com.sun.source.tree.ParameterizedTypeTree;
import com.sun.source.tree.PrimitiveTypeTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.DocTrees;
import com.sun.source.util.TreePathScanner;
import com.sun.source.util.TreeScanner;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import javax.lang.model.element.Modifier;
import javax.lang.model.type.TypeKind;
import javax.tools.JavaFileObject;

/** Reads the Javadoc of exported types, the string literals of modules, and Markdown files. */
final class Passages {

  private static final Set<Path> GENERATED =
      Set.of(Path.of("target"), Path.of("node_modules"), Path.of("dist"));

  private final List<Passage> found = new ArrayList<>();

  private Passages() {}

  /** Returns the texts of all published modules, and all Markdown files. */
  static List<Passage> all() throws IOException {
    Passages passages = new Passages();
    for (Path page : files(Modules.ROOT, ".md")) {
      passages.found.addAll(Passage.ofPage(name(page), Files.readString(page)));
    }
    List<JavaFileObject> sources = new ArrayList<>();
    Set<String> exported = new HashSet<>();
    for (String module : Modules.published()) {
      Path folder = Modules.sources(module);
      exported.add(name(folder));
      for (String name : Signatures.exports(Modules.classes(module))) {
        exported.add(name(folder.resolve(name.replace('.', '/'))));
      }
      for (Path source : files(folder, ".java")) {
        sources.add(SameCode.file(name(source), Files.readString(source)));
      }
    }
    passages.read(SameCode.parse(sources), exported);
    return passages.found;
  }

  /** Returns the texts of one source, whose Javadoc users read. */
  static List<Passage> of(String path, String source) throws IOException {
    Passages passages = new Passages();
    String folder = path.substring(0, path.lastIndexOf('/'));
    passages.read(SameCode.parse(List.of(SameCode.file(path, source))), Set.of(folder));
    return passages.found;
  }

  private void read(SameCode.Parsed sources, Set<String> exported) {
    DocTrees comments = DocTrees.instance(sources.task());
    for (CompilationUnitTree unit : sources.units()) {
      String path = unit.getSourceFile().toUri().getPath().substring(1);
      if (exported.contains(path.substring(0, path.lastIndexOf('/')))) {
        new JavadocReader(path, comments).scan(unit, null);
      }
      new MessageReader(path).scan(unit, null);
    }
  }

  private final class JavadocReader extends TreePathScanner<Void, Void> {
    private final String path;
    private final DocTrees comments;

    JavadocReader(String path, DocTrees comments) {
      this.path = path;
      this.comments = comments;
    }

    @Override
    public Void visitModule(ModuleTree module, Void unused) {
      readComment();
      return null;
    }

    @Override
    public Void visitPackage(PackageTree tree, Void unused) {
      readComment();
      return null;
    }

    @Override
    public Void visitClass(ClassTree type, Void unused) {
      if (isVisible(type.getModifiers())) {
        readComment();
        scan(type.getMembers(), null);
      }
      return null;
    }

    @Override
    public Void visitVariable(VariableTree field, Void unused) {
      if (isVisible(field.getModifiers())) {
        readComment();
      }
      return null;
    }

    @Override
    public Void visitMethod(MethodTree method, Void unused) {
      if (isVisible(method.getModifiers())) {
        List<Passage> comment = readComment();
        if (!comment.isEmpty() && isSetter(method)) {
          found.add(comment.get(0).as(Passage.Kind.SETTER_JAVADOC));
        }
      }
      return null;
    }

    private List<Passage> readComment() {
      String comment = comments.getDocComment(getCurrentPath());
      List<Passage> paragraphs = comment == null ? List.of() : Passage.ofJavadoc(path, comment);
      found.addAll(paragraphs);
      return paragraphs;
    }

    private boolean isVisible(ModifiersTree modifiers) {
      Set<Modifier> flags = modifiers.getFlags();
      Tree.Kind parent = getCurrentPath().getParentPath().getLeaf().getKind();
      boolean inInterface = parent == Tree.Kind.INTERFACE || parent == Tree.Kind.ANNOTATION_TYPE;
      return flags.contains(Modifier.PUBLIC)
          || flags.contains(Modifier.PROTECTED)
          || (inInterface && !flags.contains(Modifier.PRIVATE));
    }

    private boolean isSetter(MethodTree method) {
      ClassTree type = (ClassTree) getCurrentPath().getParentPath().getLeaf();
      Tree result = method.getReturnType();
      if (result instanceof ParameterizedTypeTree generic) {
        result = generic.getType();
      }
      return !method.getModifiers().getFlags().contains(Modifier.STATIC)
          && ((result instanceof PrimitiveTypeTree none
                  && none.getPrimitiveTypeKind() == TypeKind.VOID)
              || (result instanceof IdentifierTree name
                  && name.getName().contentEquals(type.getSimpleName())));
    }
  }

  private final class MessageReader extends TreeScanner<Void, Void> {
    private final String path;

    MessageReader(String path) {
      this.path = path;
    }

    @Override
    public Void scan(Tree tree, Void unused) {
      if (tree == null || !SameCode.isText(tree)) {
        return super.scan(tree, null);
      }
      StringBuilder text = new StringBuilder();
      for (Tree operand : SameCode.operands(tree)) {
        if (operand.getKind() == Tree.Kind.STRING_LITERAL) {
          text.append(((LiteralTree) operand).getValue());
        } else {
          text.append('…');
          scan(operand, null);
        }
      }
      found.add(Passage.ofMessage(path, text.toString()));
      return null;
    }
  }

  private static String name(Path path) {
    return Modules.ROOT.relativize(path).toString();
  }

  private static boolean isGenerated(Path file) {
    return StreamSupport.stream(file.spliterator(), false).anyMatch(GENERATED::contains);
  }

  private static List<Path> files(Path folder, String suffix) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files
          .filter(file -> file.toString().endsWith(suffix))
          .filter(file -> !isGenerated(file))
          .sorted()
          .toList();
    }
  }
}
