import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { MarkerCounter } from './marker-counter.js'

const counting = suite('counting markers in a stream')

counting('finds every one, wherever the stream is split', () => {
  const text = 'x"uid":"a"uid":"b"uid":"'
  for (let first = 0; first <= text.length; first++)
    for (let second = first; second <= text.length; second++) {
      const counter = new MarkerCounter('"uid":"')
      for (const piece of [text.slice(0, first), text.slice(first, second), text.slice(second)])
        counter.read(Buffer.from(piece))
      assert.is(counter.count, 3, `cut at ${first} and ${second}`)
    }
})

counting.run()
