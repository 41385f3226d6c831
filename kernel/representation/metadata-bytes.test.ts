import * as fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { metadataEnd } from './metadata-bytes.js'

const bytes = suite('the end of metadata in a stored body')

bytes('is found whatever it contains, and whatever follows', () => {
  fc.assert(
    fc.property(
      fc.dictionary(fc.string(), fc.jsonValue()),
      fc.dictionary(fc.string(), fc.jsonValue()),
      (metadata, rest) => {
        // JavaScript moves keys that look like numbers to the front of an object; no field of a type looks like one.
        const others = Object.fromEntries(Object.entries(rest).map(([key, value]) => [`x${key}`, value]))
        const body = Buffer.from(JSON.stringify({ metadata, ...others }))
        const alone = JSON.parse(`${body.subarray(0, metadataEnd(body))}}`)
        assert.equal(alone, JSON.parse(JSON.stringify({ metadata })))
      },
    ),
  )
})

bytes.run()
