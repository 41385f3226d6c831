import { ApiError } from 'orch/sdk'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { parseText } from './decode-body.js'

const decoding = suite('bodies that cannot be read')
const secret = 'swordfish'

/** Bodies that are broken in every way a parser has words for, with something secret where it breaks. */
const broken: Readonly<Record<'json' | 'yaml', readonly string[]>> = {
  json: [
    secret,
    `{"k":${secret}}`,
    `{"k":"${secret}`,
    `{"k":"${secret}" x}`,
    `{${secret}:1}`,
    `["${secret}\u0001"]`,
    `{"k":"\\x${secret}"}`,
    `{"${secret}":1,}`,
    `"${secret}" "${secret}"`,
  ],
  yaml: [
    `k: {a: ${secret}: x: [}`,
    `k: "${secret}`,
    `k: *${secret}`,
    `a: 1\n  ${secret}: 2\n ${secret}`,
    `k: !!${secret} {a: [}`,
    `- a\n${secret}: b`,
    `{"k": "${secret}" "${secret}"}`,
    `@${secret}`,
  ],
}
for (const [format, bodies] of Object.entries(broken))
  decoding(`${format}: a 400 says where it is broken, and never quotes the body`, () => {
    for (const body of bodies) {
      try {
        parseText(format as 'json' | 'yaml', Buffer.from(body))
        assert.unreachable(body)
      } catch (error) {
        if (!(error instanceof ApiError)) throw error
        assert.is(error.code, 400)
        assert.not.match(error.message, secret)
        assert.not.match(error.message, secret.slice(0, 4))
      }
    }
  })

decoding.run()
