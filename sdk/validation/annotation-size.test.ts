import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { areAnnotationsTooLarge, maxAnnotationBytes } from './annotation-size.js'

const annotations = suite('the size of annotations')

annotations('keys and values count in bytes, however many there are', () => {
  assert.not.ok(areAnnotationsTooLarge({ k: 'x'.repeat(maxAnnotationBytes - 1) }))
  assert.ok(areAnnotationsTooLarge({ k: 'x'.repeat(maxAnnotationBytes) }))
  const euros = '€'.repeat(Math.floor(maxAnnotationBytes / 9))
  assert.not.ok(areAnnotationsTooLarge({ a: euros, b: euros }))
  assert.ok(areAnnotationsTooLarge({ a: euros, b: euros, c: euros, d: 'more' }))
})

annotations.run()
