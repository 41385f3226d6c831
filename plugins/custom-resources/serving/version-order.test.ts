import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { preferredFirst } from './type-source.js'

const order = suite('order of versions')

order('is by stability, then by number', () => {
  const names = ['v1beta1', 'foo', 'v2', 'v11alpha2', 'v10', 'v1beta2'].map(name => ({ name }))
  assert.equal(
    preferredFirst(names).map(({ name }) => name),
    ['v10', 'v2', 'v1beta2', 'v1beta1', 'v11alpha2', 'foo'],
  )
})

order.run()
