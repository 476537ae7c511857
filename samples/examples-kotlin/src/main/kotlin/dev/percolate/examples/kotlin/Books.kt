package dev.percolate.examples.kotlin

import dev.percolate.framework.App
import dev.percolate.http.HttpError
import dev.percolate.parsers.BodyParsers
import java.util.concurrent.ConcurrentSkipListMap

/**
 * An application in Kotlin: middleware and handlers as trailing lambdas, several verbs for one
 * path, a group of routes, an error handler.
 *
 * `curl localhost:3000/books -d title=Emma`
 */
data class Book(val id: Int, val title: String)

fun app(): App {
  val books = ConcurrentSkipListMap<Int, Book>()
  val app = App()
  app.use { req, res, next ->
    res.set("X-Asked", req.path())
    next.run()
  }
  app.use(BodyParsers.urlencoded())
  app.route("/books")
      .get { _, res -> res.json(books.values) }
      .post { req, res ->
        val book = Book(books.size + 1, req.formRequired("title", String::class.java))
        books[book.id] = book
        res.status(201).location("/books/${book.id}").json(book)
      }
  app.group("/admin") { admin ->
    admin.use { req, _, next ->
      if (req.get("X-Key") == "sesame") next.run() else next.fail(HttpError(403))
    }
    admin.delete("/books") { _, res ->
      books.clear()
      res.sendStatus(204)
    }
  }
  app.use { error, _, res, _ ->
    val status = (error as? HttpError)?.status() ?: 500
    res.status(status).json(mapOf("status" to status, "error" to error.message))
  }
  return app
}

fun main() {
  println("Listening at ${app().listen(Integer.getInteger("port", 3000)).uri()}")
}
