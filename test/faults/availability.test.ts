import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { Availability } from './availability.js'

const availability = suite('how long no write is acknowledged')

availability('is attributed to the fault that started it, also when another follows', () => {
  const measured = new Availability()
  measured.acknowledged(0)
  measured.failed('kill')
  measured.failed('pause')
  measured.acknowledged(500)
  measured.acknowledged(600)
  assert.equal(
    [...measured.longest],
    [
      ['kill', 500],
      ['pause', 100],
    ],
  )
})

availability('is not an outage while no client writes', () => {
  const measured = new Availability()
  measured.failed('kill')
  measured.acknowledged(10)
  measured.quiet()
  measured.acknowledged(9000)
  assert.equal([...measured.longest], [])
})

availability.run()
