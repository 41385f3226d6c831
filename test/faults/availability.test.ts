import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { Availability } from './availability.js'

const availability = suite('how long no write is acknowledged')

availability('counts for the fault that began it, also when another follows', () => {
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

availability('is no outage while nobody writes', () => {
  const measured = new Availability()
  measured.failed('kill')
  measured.acknowledged(10)
  measured.quiet()
  measured.acknowledged(9000)
  assert.equal([...measured.longest], [])
})

availability.run()
