/** The problem details of an error (RFC 9457). */
export interface Problem {
  title?: string
  status?: number
  detail?: string
  code?: string
  errors?: Array<{ pointer?: string, parameter?: string, code: string, detail: string }>
}

/** Thrown for responses with a status code of 400 and above. */
export class ApiError extends Error {
  readonly status: number
  readonly problem: Problem

  constructor (status: number, problem: Problem) {
    super(problem.detail ?? problem.title ?? `status ${status}`)
    this.status = status
    this.problem = problem
  }
}

/** base is the URL of the server; headers are added to each request. */
export interface Options {
  base?: string
  headers?: { [name: string]: string }
  fetch?: typeof fetch
}

type Fields = { [name: string]: unknown }

interface Input {
  path?: object
  query?: object
  headers?: object
  body?: unknown
  form?: object
}

function append (target: URLSearchParams | FormData, name: string, value: unknown): void {
  if (value === undefined || value === null) return
  if (value instanceof Blob) {
    (target as FormData).append(name, value)
  } else if (Array.isArray(value)) {
    value.forEach((one, i) => append(target, isPlain(one) ? `${name}[${i}]` : name, one))
  } else if (isPlain(value)) {
    for (const [key, one] of Object.entries(value)) {
      append(target, name === '' ? key : `${name}[${key}]`, one)
    }
  } else {
    target.append(name, String(value))
  }
}

function isPlain (value: unknown): value is object {
  return typeof value === 'object' && value !== null && !(value instanceof Blob)
}

/** Encodes a path parameter; rejects values that would lead to the path of another operation. */
function segment (name: string, value: unknown): string {
  const text = String(value)
  if (text === '' || text === '.' || text === '..') throw new TypeError(`invalid ${name}: "${text}"`)
  return encodeURIComponent(text)
}

function formOf (type: string, fields: object): BodyInit {
  const form = type === 'multipart/form-data' ? new FormData() : new URLSearchParams()
  append(form, '', fields)
  return form
}

class Base {
  private readonly options: Options

  constructor (options: Options = {}) {
    this.options = options
  }

  protected async send (
    method: string, path: string, type: string, input: Input, signal?: AbortSignal
  ): Promise<unknown> {
    const values = (input.path ?? {}) as Fields
    const query = new URLSearchParams()
    append(query, '', input.query)
    const url = path.replace(/\{([^}]+)\}/g, (_, name: string) => segment(name, values[name]))
    const headers: { [name: string]: string } = { ...this.options.headers }
    for (const [name, value] of Object.entries((input.headers ?? {}) as Fields)) {
      if (value !== undefined && value !== null) headers[name] = String(value)
    }
    let body: BodyInit | undefined
    if (input.form !== undefined) {
      body = formOf(type, input.form)
    } else if (input.body !== undefined) {
      body = type.includes('json') ? JSON.stringify(input.body) : input.body as BodyInit
      if (type !== '' && !type.includes('*')) headers['Content-Type'] = type
    }
    const target = (this.options.base ?? '') + url + (query.toString() === '' ? '' : `?${query}`)
    const response = await (this.options.fetch ?? fetch)(target, { method, headers, body, signal })
    const sent = response.headers.get('Content-Type') ?? ''
    const isJson = sent.includes('json')
    if (!response.ok) {
      const problem = isJson ? await response.json().catch(() => ({})) : {} // HEAD has no body
      throw new ApiError(response.status, problem as Problem)
    }
    if (sent === '' || response.status === 204 || method === 'HEAD') return undefined
    return isJson ? response.json() : sent.startsWith('text/') ? response.text() : response.blob()
  }
}

