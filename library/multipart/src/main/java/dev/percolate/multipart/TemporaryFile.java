package dev.percolate.multipart;

import dev.percolate.core.Response;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/**
 * Stores an upload in a temporary file, which only this user can read, until the response is
 * complete.
 *
 * @param part the part of the form
 * @param folder the folder of the file
 * @param path the path of the file
 * @param channel the open file
 */
record TemporaryFile(FilePart part, TemporaryFolder folder, Path path, FileChannel channel)
    implements FileSink {

  static TemporaryFile create(@Nullable Path directory, FilePart part, Response res)
      throws IOException {
    TemporaryFolder folder = TemporaryFolder.of(directory);
    Path path = folder.create();
    // One hook per file. If the client has already disconnected, it runs at once.
    res.onFinish(() -> delete(folder, path));
    FileChannel channel = FileChannel.open(path, StandardOpenOption.WRITE);
    return new TemporaryFile(part, folder, path, channel);
  }

  @Override
  public void add(ByteBuffer piece) throws IOException {
    while (piece.hasRemaining()) {
      channel.write(piece);
    }
  }

  @Override
  public @Nullable Upload end(@Nullable Throwable failure, long size) throws IOException {
    channel.close();
    if (failure != null) {
      delete(folder, path);
      return null;
    }
    return new Upload(part.field(), part.name(), part.type(), size, path);
  }

  private static void delete(TemporaryFolder folder, Path path) {
    try {
      folder.delete(path);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
