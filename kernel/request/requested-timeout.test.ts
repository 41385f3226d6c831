import { ApiError } from 'orch/sdk'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { parseRequestInfo } from '../contracts/request-info.js'
import { requestedTimeoutMs } from './requested-timeout.js'

const timeout = suite('how long a client will wait')
const wanted = (query: string) => requestedTimeoutMs(parseRequestInfo('GET', `/api/v1/nodes${query}`)!)

const limits: Record<string, number | undefined> = {
  '': undefined,
  '?timeout=': undefined,
  '?timeout=1500ms': 1500,
  '?timeout=1m30s': 90_000,
  '?timeout=0': undefined,
  '?timeout=-5s': undefined,
  '?watch=true&timeout=soon': undefined,
}
for (const [query, expected] of Object.entries(limits))
  timeout(`"${query}" means ${expected ?? 'no limit'}`, () => assert.is(wanted(query), expected))

for (const text of ['soon', '5', '1 s'])
  timeout(`"${text}" is refused`, () =>
    assert.throws(
      () => wanted(`?timeout=${text}`),
      (error: unknown) => error instanceof ApiError && error.code === 400,
    ),
  )

timeout.run()
