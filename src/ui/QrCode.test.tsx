import { render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { QrCode } from './QrCode.tsx';

test('a QR code is one picture with a name', async () => {
  render(<QrCode text="https://fleet.example" label="The joining line" />);
  expect(await screen.findByRole('img', { name: 'The joining line' })).toBeInstanceOf(SVGElement);
  expect(screen.getAllByRole('img')).toHaveLength(1);
});
