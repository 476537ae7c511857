package dev.percolate.reliability.differential;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.percolate.engine.ListenOptions;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.eclipse.jetty.http.HttpCompliance;
import org.eclipse.jetty.http.HttpException;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpParser;
import org.eclipse.jetty.http.HttpVersion;
import org.jspecify.annotations.Nullable;

/** Reads requests with Jetty's parser in its default configuration, with Percolate's limits. */
final class JettyReader implements RequestReader {

  private static final ListenOptions LIMITS = ListenOptions.ofPort(0);

  @Override
  public Reading read(byte[] bytes) {
    Gathered gathered = new Gathered();
    HttpParser parser =
        new HttpParser(
            gathered, LIMITS.maxTargetLength() + LIMITS.maxHeaderBytes(), HttpCompliance.RFC9110);
    parser.setHeaderCacheCaseSensitive(true);
    ByteBuffer input = ByteBuffer.wrap(bytes);
    while (input.hasRemaining() && gathered.rejected == null && !parser.isClosed()) {
      parser.parseNext(input);
      if (parser.isComplete()) {
        parser.reset();
      }
    }
    return gathered.reading();
  }

  /** The events of the parser. */
  private static final class Gathered implements HttpParser.RequestHandler {
    private final List<Message> messages = new ArrayList<>();
    private final StringBuilder body = new StringBuilder();
    private List<String> headers = new ArrayList<>();
    private String method = "";
    private String target = "";
    private boolean open;
    @Nullable String rejected;

    Reading reading() {
      if (open) {
        add(false);
      }
      return Reading.of(messages, rejected);
    }

    @Override
    public void startRequest(String name, String uri, HttpVersion version) {
      method = name;
      target = uri;
      headers = new ArrayList<>();
      body.setLength(0);
    }

    @Override
    public void parsedHeader(HttpField field) {
      String value = field.getValue();
      headers.add(Message.header(field.getName(), value == null ? "" : value));
    }

    @Override
    public boolean headerComplete() {
      open = true;
      return false;
    }

    @Override
    public boolean content(ByteBuffer content) {
      body.append(ISO_8859_1.decode(content));
      return false;
    }

    @Override
    public boolean contentComplete() {
      return false;
    }

    @Override
    public boolean messageComplete() {
      add(true);
      return true;
    }

    @Override
    public void earlyEOF() {
      rejected = "the end of the input";
    }

    @Override
    public void badMessage(HttpException failure) {
      rejected = failure.getCode() + " " + failure.getReason();
    }

    private void add(boolean whole) {
      messages.add(new Message(method, target, headers, body.toString(), whole));
      open = false;
    }
  }
}
