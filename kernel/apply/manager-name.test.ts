import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { managerFromUserAgent, validateFieldManager } from './manager-name.js'

const names = suite('names of managers')

const agents: Record<string, [string | undefined, string]> = {
  'the product of a user agent': ['ctl/v1.23.0 (linux/amd64) vendor/abc', 'ctl'],
  'all of a user agent without a version': ['Mozilla', 'Mozilla'],
  'empty without a user agent': [undefined, ''],
  'only printable characters': ['a\u0007b\tc/1', 'abc'],
  'at most 128 bytes, in whole characters': [`${'x'.repeat(127)}é`, 'x'.repeat(127)],
}
for (const [title, [agent, expected]] of Object.entries(agents)) {
  names(`are ${title}`, () => assert.is(managerFromUserAgent(agent), expected))
}

names('may be absent, or any printable text', () => {
  assert.equal(validateFieldManager(''), [])
  assert.equal(validateFieldManager('my manager ✓'), [])
})

names('that are too long or not printable are rejected', () => {
  assert.equal(validateFieldManager('x'.repeat(129)), [
    { type: 'FieldValueTooLong', field: 'fieldManager', detail: 'must have at most 128 bytes' },
  ])
  const [error] = validateFieldManager('bad\nname')
  assert.is(error?.type, 'FieldValueInvalid')
  assert.is(error?.detail, 'invalid character U+000A (at position 3)')
})

names.run()
