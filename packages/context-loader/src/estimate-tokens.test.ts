import { describe, expect, it } from 'vitest'
import { estimateTokens } from './estimate-tokens.js'

// Counted with the Qwen 3 tokenizer, without special tokens; the last number is how far off the estimate may be.
const counted: readonly (readonly [string, string, number, number])[] = [
  [
    'English',
    'Write one module of the course: the module at the end of this message, and no other. Begin with its heading, copied exactly.',
    28,
    0.1,
  ],
  [
    'code',
    'const usedTokens = countTokens(systemText) + countTokens(userText)\nif (usedTokens > contextWindow) {\n    throw overBudget(usedTokens)\n}\n',
    33,
    0.1,
  ],
  [
    'JSON',
    '{"model":"qwen2.5-coder:1.5b","messages":[{"role":"user","content":"Why?"}],"options":{"num_ctx":8192},"stream":false}',
    42,
    0.1,
  ],
  ['digits', 'http://127.0.0.1:11434/api/chat 2026-11-30 18:45:07 4096 8192 16384', 55, 0.1],
  [
    'German',
    'Bevor du ein Sprachmodell auf deinem Rechner startest, prüfe den verfügbaren Speicher: je größer das Modell, desto langsamer die Antwort.',
    40,
    0.25,
  ],
  [
    'Japanese',
    'ローカルで言語モデルを動かす前に、メモリの量を確認してください。大きいモデルほど遅くなります。',
    30,
    0.1,
  ],
  [
    'Korean',
    '언어 모델을 로컬에서 실행하기 전에 메모리가 충분한지 확인하세요. 모델이 클수록 느려집니다.',
    35,
    0.1,
  ],
  [
    'Chinese',
    '在本地运行语言模型时，先确认内存是否足够，再选择合适的量化版本。模型越大，回答越好，但是速度也越慢。',
    31,
    0.25,
  ],
  [
    'Russian',
    'Прежде чем запускать модель на своей машине, проверьте, хватает ли памяти: чем больше модель, тем медленнее ответ.',
    35,
    0.25,
  ],
]

describe('estimateTokens', () => {
  it.each(counted)('%s', (_, text, tokens, tolerance) => {
    expect(Math.abs(estimateTokens(text) / tokens - 1)).toBeLessThan(tolerance)
  })

  it('is 0 for nothing, and grows with the text', () => {
    expect(estimateTokens('')).toBe(0)
    expect(estimateTokens('a')).toBe(1)
    expect(estimateTokens('word '.repeat(1000))).toBeGreaterThanOrEqual(800)
  })
})
