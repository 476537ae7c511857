package dev.percolate.examples.kotlin

import dev.percolate.core.Request
import dev.percolate.framework.App
import dev.percolate.http.HttpError
import dev.percolate.middleware.ProblemDetails
import dev.percolate.parsers.BodyParsers
import jakarta.validation.constraints.Min
import jakarta.validation.constraints.NotBlank
import jakarta.validation.constraints.Positive
import jakarta.validation.constraints.Size
import java.math.BigDecimal
import java.util.concurrent.ConcurrentSkipListMap
import java.util.concurrent.atomic.AtomicLong

/**
 * A JSON API in Kotlin: data classes with default values as request and response bodies,
 * constraints, and errors as problem+json.
 *
 * `curl localhost:3000/orders --json '{"customer":"Ann","lines":[{"article":"tea","price":2.5}]}'`
 */
// #region classes
data class Line(
    @field:NotBlank val article: String,
    @field:Positive val price: BigDecimal,
    @field:Min(1) val count: Int = 1,
)

data class NewOrder(
    @field:NotBlank val customer: String,
    @field:Size(min = 1, max = 50) val lines: List<Line>,
    val note: String? = null,
)

data class Order(val id: Long, val total: BigDecimal, val order: NewOrder)

// #endregion classes

// #region body
/** Returns the body as a data class. The JSON parser accepts no null. */
inline fun <reified T : Any> Request.read(): T = body(T::class.java)!!

// #endregion body

// #region app
fun orders(): App {
  val orders = ConcurrentSkipListMap<Long, Order>()
  val lastId = AtomicLong()
  val app = App()
  app.use(BodyParsers.json())
  app.route("/orders")
      .get { req, res ->
        val customer = req.query("customer")
        res.json(orders.values.filter { customer == null || it.order.customer == customer })
      }
      .post { req, res ->
        val sent = req.read<NewOrder>() // 400 or 422 if it is invalid
        val total = sent.lines.sumOf { it.price * it.count.toBigDecimal() }
        val order = Order(lastId.incrementAndGet(), total, sent)
        orders[order.id] = order
        res.status(201).location("/orders/${order.id}").json(order)
      }
  app.get("/orders/:id") { req, res ->
    val id = req.params().required("id", Long::class.java)
    res.json(orders[id] ?: throw HttpError(404, "There is no order $id"))
  }
  app.use(ProblemDetails.json())
  return app
}

// #endregion app

object Orders {
  @JvmStatic
  fun main(args: Array<String>) {
    println("Listening at ${orders().listen(Integer.getInteger("port", 3000)).uri()}")
  }
}
