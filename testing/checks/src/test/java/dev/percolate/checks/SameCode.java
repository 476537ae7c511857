package dev.percolate.checks;

import com.sun.source.tree.BinaryTree;
import com.sun.source.tree.BreakTree;
import com.sun.source.tree.CaseTree;
import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.ContinueTree;
import com.sun.source.tree.IdentifierTree;
import com.sun.source.tree.ImportTree;
import com.sun.source.tree.LabeledStatementTree;
import com.sun.source.tree.LiteralTree;
import com.sun.source.tree.MemberReferenceTree;
import com.sun.source.tree.MemberSelectTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.ModifiersTree;
import com.sun.source.tree.ModuleTree;
import com.sun.source.tree.ParenthesizedTree;
import com.sun.source.tree.PrimitiveTypeTree;
import com.sun.source.tree.RequiresTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.TypeParameterTree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.TreeScanner;
import com.sun.source.util.Trees;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/**
 * Compares the Java code of commits with that of their parents, without comments and strings.
 *
 * <p>Usage: {@code .ci/same-code BASE..HEAD}. The arguments are those of {@code git rev-list};
 * merges are skipped. Prints the first difference of each file. The exit status is 1 if there is a
 * difference. Java runs this file as a program, so it uses no other class of the project.
 *
 * <p>Sources have the same code if their syntax trees are equal. The comparison ignores the text of
 * string literals and how it is split, the names of test methods, and imports that only Javadoc
 * uses.
 */
final class SameCode extends TreeScanner<Void, Void> {

  private record Node(String text, long line) {}

  /** Sources and the task that parsed them. */
  record Parsed(JavacTask task, List<CompilationUnitTree> units) {}

  private final CompilationUnitTree unit;
  private final SourcePositions positions;
  private final Set<String> names;
  private final List<Node> nodes = new ArrayList<>();
  private long line;

  private SameCode(Parsed source) {
    unit = source.units().get(0);
    positions = Trees.instance(source.task()).getSourcePositions();
    names = names(unit);
  }

  public static void main(String[] arguments) throws IOException, InterruptedException {
    List<String> revisions = new ArrayList<>(List.of("rev-list", "--reverse", "--no-merges"));
    revisions.addAll(List.of(arguments));
    List<String> commits = git(revisions.toArray(String[]::new)).lines().toList();
    int differences = 0;
    for (String commit : commits) {
      for (String difference : differences(commit)) {
        System.out.println(commit.substring(0, 8) + " " + difference);
        differences++;
      }
    }
    System.out.println(commits.size() + " commits, " + differences + " files with changed code");
    System.exit(differences == 0 ? 0 : 1);
  }

  /** Returns the first difference of each file that a commit changes. */
  private static List<String> differences(String commit) throws IOException, InterruptedException {
    String changes =
        git("diff-tree", "-r", "--name-status", "--no-renames", commit, "--", "*.java");
    List<String> differences = new ArrayList<>();
    for (String change : changes.lines().skip(1).toList()) {
      String path = change.substring(change.indexOf('\t') + 1);
      if (change.startsWith("M")) {
        String before = git("show", commit + "^:" + path);
        String after = git("show", commit + ":" + path);
        difference(path, before, after).ifPresent(differences::add);
      } else {
        differences.add(path + ": added or deleted");
      }
    }
    return differences;
  }

  /** Returns the first difference between the code of two sources, with its line in the second. */
  static Optional<String> difference(String path, String before, String after) throws IOException {
    List<Node> old = nodes(path, before);
    List<Node> current = nodes(path, after);
    for (int i = 0; i < Math.min(old.size(), current.size()); i++) {
      if (!old.get(i).text().equals(current.get(i).text())) {
        Node node = current.get(i);
        String texts = node.text() + ", was " + old.get(i).text();
        return Optional.of(path + ":" + node.line() + ": " + texts);
      }
    }
    return Optional.empty();
  }

  private static List<Node> nodes(String path, String text) throws IOException {
    SameCode code = new SameCode(parse(List.of(file(path, text))));
    code.scan(code.unit, null);
    return code.nodes;
  }

  static JavaFileObject file(String path, String text) {
    return new SimpleJavaFileObject(URI.create("string:///" + path), JavaFileObject.Kind.SOURCE) {
      @Override
      public CharSequence getCharContent(boolean ignoreEncodingErrors) {
        return text;
      }
    };
  }

  /**
   * Parses sources.
   *
   * @throws IllegalArgumentException if one of them has a syntax error
   */
  static Parsed parse(List<JavaFileObject> files) throws IOException {
    DiagnosticCollector<JavaFileObject> problems = new DiagnosticCollector<>();
    JavacTask task =
        (JavacTask)
            ToolProvider.getSystemJavaCompiler()
                .getTask(null, null, problems, List.of("-proc:none"), null, files);
    List<CompilationUnitTree> units = new ArrayList<>();
    task.parse().forEach(units::add);
    problems.getDiagnostics().stream()
        .filter(problem -> problem.getKind() == Diagnostic.Kind.ERROR)
        .findFirst()
        .ifPresent(
            problem -> {
              throw new IllegalArgumentException("invalid Java source: " + problem);
            });
    return new Parsed(task, units);
  }

  @Override
  public Void scan(Tree tree, Void unused) {
    if (tree == null) {
      add("nothing");
    } else if (!(tree instanceof ImportTree imported) || isUsed(imported)) {
      long position = positions.getStartPosition(unit, tree);
      line = position < 0 ? line : unit.getLineMap().getLineNumber(position);
      if (isText(tree)) {
        scanText(tree);
      } else {
        add((tree.getKind() + " " + detail(tree)).strip());
        super.scan(tree, null);
      }
      add("end");
    }
    return null;
  }

  @Override
  public Void scan(Iterable<? extends Tree> trees, Void unused) {
    add("list");
    if (trees != null) {
      trees.forEach(tree -> scan(tree, null));
    }
    add("end");
    return null;
  }

  private void scanText(Tree tree) {
    add("text");
    for (Tree operand : operands(tree)) {
      if (operand.getKind() != Tree.Kind.STRING_LITERAL) {
        scan(operand, null);
      }
    }
  }

  private void add(String text) {
    nodes.add(new Node(text, line));
  }

  /** Returns true if a tree is a string literal, or a concatenation that contains one. */
  static boolean isText(Tree tree) {
    if (tree instanceof ParenthesizedTree parenthesized) {
      return isText(parenthesized.getExpression());
    }
    if (tree instanceof BinaryTree sum && sum.getKind() == Tree.Kind.PLUS) {
      return isText(sum.getLeftOperand()) || isText(sum.getRightOperand());
    }
    return tree.getKind() == Tree.Kind.STRING_LITERAL;
  }

  /** Returns the operands of a concatenation, of which at least one is a string literal. */
  static List<Tree> operands(Tree tree) {
    List<Tree> operands = new ArrayList<>();
    if (!isText(tree) || tree.getKind() == Tree.Kind.STRING_LITERAL) {
      operands.add(tree);
    } else if (tree instanceof ParenthesizedTree parenthesized) {
      operands.addAll(operands(parenthesized.getExpression()));
    } else if (tree instanceof BinaryTree sum) {
      operands.addAll(operands(sum.getLeftOperand()));
      operands.addAll(operands(sum.getRightOperand()));
    }
    return operands;
  }

  /** Returns the properties of a tree that are neither its kind nor among its children. */
  private static Object detail(Tree tree) {
    if (tree instanceof IdentifierTree identifier) {
      return identifier.getName();
    } else if (tree instanceof MemberSelectTree select) {
      return select.getIdentifier();
    } else if (tree instanceof MemberReferenceTree reference) {
      return reference.getMode() + " " + reference.getName();
    } else if (tree instanceof VariableTree variable) {
      return variable.getName();
    } else if (tree instanceof MethodTree method) {
      return isTest(method) ? "test" : method.getName();
    } else if (tree instanceof ClassTree type) {
      return type.getSimpleName();
    } else if (tree instanceof TypeParameterTree parameter) {
      return parameter.getName();
    } else if (tree instanceof LiteralTree literal) {
      return String.valueOf(literal.getValue());
    } else if (tree instanceof PrimitiveTypeTree primitive) {
      return primitive.getPrimitiveTypeKind();
    } else if (tree instanceof ModifiersTree modifiers) {
      return modifiers.getFlags();
    } else if (tree instanceof LabeledStatementTree statement) {
      return statement.getLabel();
    } else if (tree instanceof BreakTree jump) {
      return String.valueOf(jump.getLabel());
    } else if (tree instanceof ContinueTree jump) {
      return String.valueOf(jump.getLabel());
    } else if (tree instanceof CaseTree branch) {
      return branch.getCaseKind();
    } else if (tree instanceof ImportTree imported) {
      return imported.isStatic() ? "static" : "";
    } else if (tree instanceof ModuleTree module) {
      return module.getModuleType();
    } else if (tree instanceof RequiresTree requires) {
      return requires.isStatic() + " " + requires.isTransitive();
    }
    return "";
  }

  private static boolean isTest(MethodTree method) {
    return method.getModifiers().getAnnotations().stream()
        .map(annotation -> annotation.getAnnotationType())
        .anyMatch(
            type ->
                type instanceof IdentifierTree identifier
                    && identifier.getName().toString().endsWith("Test"));
  }

  private boolean isUsed(ImportTree imported) {
    return !(imported.getQualifiedIdentifier() instanceof MemberSelectTree select)
        || select.getIdentifier().contentEquals("*")
        || names.contains(select.getIdentifier().toString());
  }

  /** Returns the simple names that the code of a source uses, without those of its imports. */
  private static Set<String> names(CompilationUnitTree unit) {
    Set<String> names = new HashSet<>();
    new TreeScanner<Void, Void>() {
      @Override
      public Void visitImport(ImportTree imported, Void unused) {
        return null;
      }

      @Override
      public Void visitIdentifier(IdentifierTree identifier, Void unused) {
        names.add(identifier.getName().toString());
        return null;
      }
    }.scan(unit, null);
    return names;
  }

  static String git(String... arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of("git"));
    command.addAll(List.of(arguments));
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (process.waitFor() != 0) {
      throw new IOException("failed: " + String.join(" ", command));
    }
    return output;
  }
}
