import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { tableRows } from './table.js'

const table = suite('the table of the benchmark')

table('shows the median, the best and whether the figure is reached', () => {
  const [rate] = tableRows('create-c1', [{ 'rate ops/s': 900 }, { 'rate ops/s': 1100 }, { 'rate ops/s': 1001 }])
  assert.match(rate ?? '', /create-c1 +rate ops\/s +1001 +1100 +507\.0 +1000 reached$/)
})

table('treats less as better unless it is a rate', () => {
  const [wall] = tableRows('deletecollection-10k', [{ 'wall ms': 2000 }])
  assert.match(wall ?? '', /1000 MISSED$/)
})

table.run()
