// Calls the example Catalog with types generated from its document. Calls that do not match the types do not compile.
import createClient from 'openapi-fetch'
import { strict as assert } from 'node:assert'
import type { paths, components } from './catalog.js'

type Book = components['schemas']['Book']

const client = createClient<paths>({ baseUrl: process.argv[2] })

const added = await client.POST('/books', { body: { title: 'Emma', authors: ['Jane Austen'], year: 1815, form: 'PAPER' } })
assert.equal(added.response.status, 201)
const book: Book = added.data!
assert.equal(book.title, 'Emma')
assert.equal(added.response.headers.get('Location'), `/books/${book.id}`)

const found = await client.GET('/books/{id}', { params: { path: { id: book.id } } })
assert.deepEqual(found.data, book)

const changed = await client.PUT('/books/{id}', {
  params: { path: { id: book.id } },
  body: { title: 'Emma', authors: ['Jane Austen'], year: 1816, form: null }
})
assert.equal(changed.data?.year, 1816)

const page = await client.GET('/books', { params: { query: { page: 1, size: 1 } } })
assert.equal(page.data?.items?.[0]?.title, 'Emma')
assert.equal(page.data?.next ?? null, null)

const cover = new Blob([new Uint8Array([1, 2, 3])], { type: 'image/png' })
const sent = await client.PUT('/books/{id}/cover', {
  params: { path: { id: book.id } },
  body: { cover: 'the file' },
  bodySerializer: () => {
    const form = new FormData()
    form.append('cover', cover, 'cover.png')
    return form
  }
})
assert.equal(sent.response.status, 204)
const shown = await client.GET('/books/{id}/cover', { params: { path: { id: book.id } }, parseAs: 'arrayBuffer' })
assert.deepEqual([...new Uint8Array(shown.data as ArrayBuffer)], [1, 2, 3])

const refused = await client.POST('/books', { body: { title: ' ', authors: [], year: 1 } })
assert.equal(refused.response.status, 422)
assert.deepEqual(refused.error?.errors?.map(one => one.pointer).sort(), ['/authors', '/title', '/year'])
// @ts-expect-error: in the document, title is required and year is a number
const misfit = await client.POST('/books', { body: { authors: ['x'], year: 'long ago' } })
assert.equal(misfit.response.status, 400)

const removed = await client.DELETE('/books/{id}', { params: { path: { id: book.id } } })
assert.equal(removed.response.status, 204)
const gone = await client.GET('/books/{id}', { params: { path: { id: book.id } } })
assert.equal(gone.response.status, 404)
assert.equal(gone.error?.title, 'Not Found')
