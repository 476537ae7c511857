// Calls the example Catalog with the client that it serves at /client.ts. Calls that do not match the routes do not compile.
import { strict as assert } from 'node:assert'
import { ApiError, Client, type Types } from './catalog-client.js'

const client = new Client({ base: process.argv[2] })

const book: Types['Book'] = await client.postBooks({ body: { title: 'Emma', authors: ['Jane Austen'], year: 1815, form: 'PAPER' } })
assert.equal(book.title, 'Emma')
assert.deepEqual(await client.getBooksById({ path: { id: book.id } }), book)
const changed = await client.putBooksById({ path: { id: book.id }, body: { title: 'Emma', authors: ['Jane Austen'], year: 1816, form: null } })
assert.equal(changed.year, 1816)

const page = await client.getBooks({ query: { page: 1, size: 1 } })
assert.equal(page.items?.length, 1)
assert.equal((await client.getBooks()).total >= 1, true)

const cover = new Blob([new Uint8Array([1, 2, 3])], { type: 'image/png' })
assert.equal(await client.putBooksByIdCover({ path: { id: book.id }, form: { cover } }), undefined)
const shown = await client.getBooksByIdCover({ path: { id: book.id } })
assert.deepEqual([...new Uint8Array(await shown.arrayBuffer())], [1, 2, 3])

const invalid = client.postBooks({ body: { title: ' ', authors: [], year: 1 } })
await assert.rejects(invalid, (error: unknown) => {
  assert.ok(error instanceof ApiError)
  assert.equal(error.status, 422)
  assert.deepEqual(error.problem.errors?.map(one => one.pointer).sort(), ['/authors', '/title', '/year'])
  return true
})
// @ts-expect-error: title is required, and year is a number
await assert.rejects(client.postBooks({ body: { authors: ['x'], year: 'long ago' } }))

await client.deleteBooksById({ path: { id: book.id } })
await assert.rejects(client.getBooksById({ path: { id: book.id } }), { status: 404, message: 'there is no such book' })

const headers = { 'Content-Type': 'application/json' }
const broken = new Client({ fetch: async () => new Response('', { status: 502, headers }) })
await assert.rejects(broken.getBooks(), (error: unknown) => error instanceof ApiError && error.status === 502)
