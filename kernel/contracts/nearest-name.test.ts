import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { nearestName } from './nearest-name.js'

const nearest = suite('nearest name')
const known = ['data-dir', 'bind-address', 'secure-port', 'v']

nearest('finds a name with a few wrong letters', () => {
  assert.is(nearestName('secure-prot', known), 'secure-port')
  assert.is(nearestName('datadir', known), 'data-dir')
  assert.is(nearestName('bindAddress', known), 'bind-address')
})
nearest('suggests nothing for something else entirely', () => {
  assert.is(nearestName('unrelated', known), undefined)
})
nearest.run()
