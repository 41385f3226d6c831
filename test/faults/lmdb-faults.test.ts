import { suite } from 'uvu'
import { tryFaults } from './try-faults.js'

const faults = suite('a server on LMDB')

faults('that is killed, paused, disconnected and out of space loses nothing and delivers everything in order', () =>
  tryFaults('lmdb'),
)

faults('whose worker and supervisor processes are killed loses nothing and recovers', () =>
  tryFaults('lmdb', {
    workers: 2,
    seconds: 5,
    epochSeconds: 5,
    customTypes: true,
    isWanted: kind => kind.startsWith('kill'),
  }),
)

faults.run()
