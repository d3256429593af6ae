"""Made the networks beside it, with both exporters of PyTorch 2.15: python make.py (needs torch, onnx, onnxscript, onnxruntime)."""

from pathlib import Path

import numpy as np
import onnxruntime
import torch
from torch import nn

HERE, NAMES = Path(__file__).parent, ("planes", "policy", "value")


class Net(nn.Module):
    def __init__(self, cells, moves):
        super().__init__()
        self.cells = cells
        self.first, self.norm = nn.Conv1d(1, 2, 3, padding=1), nn.BatchNorm1d(2)
        self.body, self.policy, self.value = nn.Linear(2 * cells, 4), nn.Linear(4, moves), nn.Linear(4, 1)

    def forward(self, planes):
        x = torch.relu(self.norm(self.first(planes.reshape(-1, 1, self.cells)))).flatten(1)
        x = torch.relu(self.body(x))
        return self.policy(x), torch.sigmoid(self.value(x))


def export(net, name, **how):
    example = (torch.zeros(2, net.cells),)
    torch.onnx.export(net.eval(), example, str(HERE / name), input_names=NAMES[:1], output_names=NAMES[1:], **how)


torch.manual_seed(3)
old = {"dynamo": False, "opset_version": 17, "dynamic_axes": {name: {0: "n"} for name in NAMES}}
new = {"dynamo": True, "dynamic_shapes": {"planes": {0: torch.export.Dim("n")}}}
small = Net(18, 9)
export(small, "old.onnx", **old)
export(small, "new.onnx", external_data=False, **new)
export(small, "apart.onnx", external_data=True, **new)
export(Net(19, 18), "tic_tac_toe_s3.onnx", **old)
seen = np.eye(1, 18, 4, dtype=np.float32)
for name in ("old.onnx", "new.onnx", "apart.onnx"):
    print(name, onnxruntime.InferenceSession(str(HERE / name)).run(None, {"planes": seen}))
