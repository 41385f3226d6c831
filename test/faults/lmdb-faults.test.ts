import { suite } from 'uvu'
import { tryFaults } from './try-faults.js'

const faults = suite('a server on LMDB')

faults('that is killed, paused, cut off and out of space loses nothing and shows everything in order', () =>
  tryFaults('lmdb'),
)

faults.run()
