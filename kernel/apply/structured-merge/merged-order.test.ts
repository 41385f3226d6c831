import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { mergedOrder } from './merged-order.js'

const ordering = suite('order of merged lists')
/** Items are letters; live, applied and merged ones. */
const cases: Readonly<Record<string, readonly [live: string, applied: string, merged: string]>> = {
  'new items come before those that they precede': ['b', 'ab', 'ab'],
  'others stay where they are': ['abc', 'b', 'abc'],
  'others come before new items': ['ab', 'xy', 'abxy'],
  'shared items change their places': ['abc', 'cxa', 'bcxa'],
  'new items follow the others before a shared one': ['abc', 'xb', 'axbc'],
  'all of it may be applied in another order': ['abc', 'cba', 'cba'],
  'items of the same identity become one if they are applied': ['aab', 'a', 'ab'],
}
for (const [title, [live, applied, merged]] of Object.entries(cases))
  ordering(title, () => {
    const places = [...live, ...[...applied].filter(item => !live.includes(item))]
    assert.is(
      mergedOrder([...live], [...applied])
        .map(place => places[place])
        .join(''),
      merged,
    )
  })

ordering.run()
