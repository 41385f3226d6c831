import { suite } from 'uvu'
import { tryFaults } from './try-faults.js'

const faults = suite('a server on LMDB')

faults('that is killed, paused, cut off and out of space loses nothing and shows everything in order', () =>
  tryFaults('lmdb'),
)

faults('whose worker processes are killed, and the one that starts them, loses nothing and comes back', () =>
  tryFaults('lmdb', {
    workers: 2,
    seconds: 5,
    epochSeconds: 5,
    customTypes: true,
    isWanted: kind => kind.startsWith('kill'),
  }),
)

faults.run()
