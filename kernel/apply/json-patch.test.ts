import type { ApiError } from 'orch/sdk'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { maxJsonPatchOperations } from '../../libs/json-patch/index.js'
import { jsonPatch } from './json-patch.js'

const patching = suite('a JSON patch in a request')

const answers: Readonly<Record<string, readonly [patch: unknown, code: number, message: RegExp]>> = {
  'one that is not a list': [{ op: 'add' }, 400, /^error decoding patch: /],
  'one that cannot be applied': [
    [{ op: 'remove', path: '/none' }],
    422,
    /^the server rejected our request due to an error/,
  ],
  'one with too many operations': [Array(maxJsonPatchOperations + 1).fill({ op: 'test', path: '/a' }), 413, /maximum/],
}
for (const [what, [patch, code, message]] of Object.entries(answers)) {
  patching(`${what} is rejected with ${code}`, () => {
    assert.throws(
      () => jsonPatch({ a: 1 }, patch),
      (error: ApiError) => error.code === code && message.test(error.message),
    )
  })
}

patching('a valid one changes the document', () => {
  assert.equal(jsonPatch({ a: 1 }, [{ op: 'replace', path: '/a', value: 2 }]), { a: 2 })
})

patching.run()
