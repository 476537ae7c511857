package dev.percolate.examples.kotlin

import dev.percolate.core.Settings
import dev.percolate.framework.App
import dev.percolate.json.JacksonCodec
import dev.percolate.middleware.ProblemDetails
import dev.percolate.parsers.BodyParsers
import tools.jackson.databind.DeserializationFeature
import tools.jackson.databind.PropertyNamingStrategies
import tools.jackson.module.kotlin.jacksonMapperBuilder

/**
 * Data classes as request and response bodies. Jackson's Kotlin module applies default values, and
 * rejects null and missing values for types that are not nullable. The mapper is configured to use
 * snake case, and to reject unknown names and fractions for whole numbers.
 *
 * `curl localhost:3000/orders --json '{"customer":"Ann","lines":[{"unit_price":2.5}]}'`
 */
data class Line(val unitPrice: Double, val count: Int = 1)

data class Order(val customer: String, val lines: List<Line> = listOf(), val note: String? = null)

fun orders(): App {
  val mapper =
      jacksonMapperBuilder()
          .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
          .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
          .build()
  val app = App()
  app.set(Settings.JSON_CODEC, JacksonCodec.of(mapper))
  app.use(BodyParsers.json())
  app.post("/orders") { req, res -> res.status(201).json(req.body(Order::class.java)) }
  app.use(ProblemDetails.json())
  return app
}
